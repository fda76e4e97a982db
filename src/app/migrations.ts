import type { Migration } from '../kernel/database/migrate.ts';

/** Every migration of the product, in the order they are applied, whichever services a process runs. */
export const migrations: readonly Migration[] = [];
