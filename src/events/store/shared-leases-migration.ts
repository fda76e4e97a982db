import type { Migration } from '../../kernel/database/migrate.ts';

/** Sources are leased like other work of which one process at a time does a piece. */
export const sharedLeasesMigration: Migration = {
  id: 'events-0006-shared-leases',
  statements: () => ['DROP TABLE events_source_leases'],
};
