import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Puts the options of all applications into one column, by their fields, in place of a column for
 * each application. Renames the column with what was last reported about a pair.
 */
export const applicationOptionsMigration: Migration = {
  id: 'events-0010-application-options',
  statements: () => [
    "ALTER TABLE events_subscriptions ADD COLUMN options TEXT NOT NULL DEFAULT '{}'",
    `UPDATE events_subscriptions SET options = '{"driveOptions":' || drive_options || '}'
        WHERE drive_options IS NOT NULL`,
    `UPDATE events_subscriptions SET options = '{"swapOptions":' || swap_options || '}'
        WHERE swap_options IS NOT NULL`,
    'ALTER TABLE events_subscriptions DROP COLUMN drive_options',
    'ALTER TABLE events_subscriptions DROP COLUMN swap_options',
    'ALTER TABLE events_price_watches RENAME COLUMN told TO last_reported',
    `UPDATE events_price_watches SET last_reported =
        REPLACE(REPLACE(last_reported, 'priceToldAt', 'priceReportedAt'), 'routeToldAt', 'routeReportedAt')`,
  ],
};
