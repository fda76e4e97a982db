import type { Migration } from '../../../kernel/database/migrate.ts';

/** Sources use the leases of the kernel, as all work does that runs in one process at a time. */
export const sharedLeasesMigration: Migration = {
  id: 'events-0006-shared-leases',
  statements: () => ['DROP TABLE events_source_leases'],
};
