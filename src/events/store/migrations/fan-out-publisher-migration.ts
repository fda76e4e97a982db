import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Adds the publisher whose events wait to be queued; events of other publishers do not wait for them. Rows without a
 * publisher, from before or from processes of an earlier version, count for every publisher.
 */
export const fanOutPublisherMigration: Migration = {
  id: 'events-0013-fan-out-publisher',
  statements: ({ sortedText }) => [
    `ALTER TABLE events_fan_outs ADD COLUMN publisher ${sortedText} NOT NULL DEFAULT '*'`,
    'CREATE INDEX events_fan_outs_in_turn ON events_fan_outs (publisher, number)',
  ],
};
