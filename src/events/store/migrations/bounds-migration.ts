import type { Migration } from '../../../kernel/database/migrate.ts';

/**
 * What bounds are measured by. `events_delivery_counts`: how many deliveries of a publisher were queued, by the time
 * when retention has removed them. The index finds the oldest operations of a principal.
 */
export const boundsMigration: Migration = {
  id: 'events-0014-bounds',
  statements: ({ identity, sortedText }) => [
    `CREATE TABLE events_delivery_counts (
        number ${identity},
        publisher ${sortedText} NOT NULL,
        gone_at BIGINT NOT NULL,
        deliveries BIGINT NOT NULL
      )`,
    `CREATE UNIQUE INDEX events_delivery_counts_once
        ON events_delivery_counts (publisher, gone_at)`,
    'CREATE INDEX events_delivery_counts_by_end ON events_delivery_counts (gone_at)',
    'CREATE INDEX events_operations_by_principal ON events_operations (principal, created_at)',
  ],
};
