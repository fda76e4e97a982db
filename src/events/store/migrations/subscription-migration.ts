import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * `events_subscriptions`: every subscription; deleted and expired ones for as long as operations are kept.
 * `events_matches`: which subscriptions get an event of a type on a target; it holds only subscriptions that still
 * exist and is written with them. `events_operations`: the results of mutations.
 */
export const subscriptionMigration: Migration = {
  id: 'events-0001-subscriptions',
  statements: ({ sortedText }) => [
    `CREATE TABLE events_subscriptions (
        id ${sortedText} PRIMARY KEY,
        uid TEXT NOT NULL,
        principal TEXT NOT NULL,
        client_id TEXT NOT NULL,
        user_id TEXT,
        target_resource TEXT NOT NULL,
        event_types TEXT NOT NULL,
        payload_options TEXT,
        notification_endpoint TEXT NOT NULL,
        drive_options TEXT,
        swap_options TEXT,
        state TEXT NOT NULL,
        suspension_reason TEXT,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        revision BIGINT NOT NULL
      )`,
    'CREATE UNIQUE INDEX events_subscriptions_by_uid ON events_subscriptions (uid)',
    `CREATE UNIQUE INDEX events_subscriptions_by_target
        ON events_subscriptions (principal, target_resource) WHERE state <> 'DELETED'`,
    `CREATE INDEX events_subscriptions_by_principal
        ON events_subscriptions (principal, id) WHERE state <> 'DELETED'`,
    `CREATE INDEX events_subscriptions_by_end
        ON events_subscriptions (updated_at) WHERE state = 'DELETED'`,
    `CREATE TABLE events_matches (
        event_type TEXT NOT NULL,
        target TEXT NOT NULL,
        subscription_id ${sortedText} NOT NULL,
        PRIMARY KEY (event_type, target, subscription_id)
      )`,
    'CREATE INDEX events_matches_by_subscription ON events_matches (subscription_id)',
    `CREATE TABLE events_operations (
        name TEXT PRIMARY KEY,
        principal TEXT NOT NULL,
        kind TEXT NOT NULL,
        subscription_id TEXT NOT NULL,
        request_id TEXT,
        created_at BIGINT NOT NULL,
        response TEXT,
        error TEXT,
        sealed_secret TEXT
      )`,
    `CREATE UNIQUE INDEX events_operations_by_request
        ON events_operations (principal, request_id) WHERE request_id IS NOT NULL`,
    'CREATE INDEX events_operations_by_subscription ON events_operations (subscription_id, created_at)',
    'CREATE INDEX events_operations_by_time ON events_operations (created_at)',
  ],
};
