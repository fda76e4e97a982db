import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * Whose events wait to be queued: those of others go past them. Rows without a publisher, of before and of processes
 * that do not know it yet, are everybody's.
 */
export const fanOutPublisherMigration: Migration = {
  id: 'events-0013-fan-out-publisher',
  statements: ({ sortedText }) => [
    `ALTER TABLE events_fan_outs ADD COLUMN publisher ${sortedText} NOT NULL DEFAULT '*'`,
    'CREATE INDEX events_fan_outs_in_turn ON events_fan_outs (publisher, number)',
  ],
};
