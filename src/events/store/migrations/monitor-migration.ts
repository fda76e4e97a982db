import type { Migration } from '../../../kernel/database/migrate.ts';

/** Finds what changed last, for the live feed, and all that one person has through whichever client. */
export const monitorMigration: Migration = {
  id: 'events-0011-monitor',
  statements: () => [
    'CREATE INDEX events_subscriptions_by_change ON events_subscriptions (updated_at)',
    `CREATE INDEX events_subscriptions_by_user
        ON events_subscriptions (user_id, id) WHERE state <> 'DELETED'`,
  ],
};
