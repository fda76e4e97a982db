import type { Migration } from '../database/migrate.ts';

/** `leases`: which process holds a piece of work that only one may do at a time, and until when. */
export const leaseMigrations: readonly Migration[] = [
  {
    id: 'kernel-0005-leases',
    statements: () => [
      `CREATE TABLE leases (
        name TEXT PRIMARY KEY, owner TEXT NOT NULL, lease_until BIGINT NOT NULL)`,
    ],
  },
];
