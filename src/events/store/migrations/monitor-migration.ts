import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Indexes for the latest changes, which the live feed shows, and for all subscriptions of a person through any client.
 */
export const monitorMigration: Migration = {
  id: 'events-0011-monitor',
  statements: () => [
    'CREATE INDEX events_subscriptions_by_change ON events_subscriptions (updated_at)',
    `CREATE INDEX events_subscriptions_by_user
        ON events_subscriptions (user_id, id) WHERE state <> 'DELETED'`,
  ],
};
