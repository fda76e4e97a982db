import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * `events_fan_outs`: publications that are still to be queued for their subscriptions, in order. `events` is JSON;
 * lanes up to `after_lane` have them, and those after `through_lane` came later.
 */
export const fanOutMigration: Migration = {
  id: 'events-0011-fan-outs',
  statements: ({ identity }) => [
    `CREATE TABLE events_fan_outs (
        number ${identity},
        events TEXT NOT NULL,
        after_lane BIGINT NOT NULL DEFAULT 0,
        through_lane BIGINT NOT NULL
      )`,
  ],
};
