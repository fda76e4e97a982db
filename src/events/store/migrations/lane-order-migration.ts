import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * The lanes name subscriptions in the same order as the matches do. With two orders PostgreSQL could
 * not use the index between them, and read all lanes for each publication.
 */
export const laneOrderMigration: Migration = {
  id: 'events-0005-lane-order',
  statements: ({ sortedText }) =>
    // The embedded file has one order, and no way to change a column.
    sortedText === 'TEXT'
      ? []
      : [`ALTER TABLE events_lanes ALTER COLUMN subscription_id TYPE ${sortedText}`],
};
