import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Gives the subscription ids of lanes the collation that those of matches have. With two collations PostgreSQL could
 * not use the index to join them, and read all lanes for each publication.
 */
export const laneOrderMigration: Migration = {
  id: 'events-0005-lane-order',
  statements: ({ sortedText }) =>
    // The embedded file has one collation, and cannot change a column.
    sortedText === 'TEXT'
      ? []
      : [`ALTER TABLE events_lanes ALTER COLUMN subscription_id TYPE ${sortedText}`],
};
