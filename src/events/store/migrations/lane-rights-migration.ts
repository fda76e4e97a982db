import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Whose events a lane gets with the visibility `own` (F7): those of its account, as `accountOf`
 * names it, or all. Existing lanes get those of the account that created them.
 */
export const laneRightsMigration: Migration = {
  id: 'events-0008-lane-rights',
  statements: () => [
    "ALTER TABLE events_lanes ADD COLUMN account TEXT NOT NULL DEFAULT ''",
    'ALTER TABLE events_lanes ADD COLUMN sees_all BIGINT NOT NULL DEFAULT 0',
    `UPDATE events_lanes SET account = COALESCE((
        SELECT CASE WHEN user_id IS NULL THEN 'clients/' || client_id ELSE 'users/' || user_id END
        FROM events_subscriptions WHERE id = subscription_id), '')`,
  ],
};
