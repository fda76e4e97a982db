import { authorizationMigrations } from '../../authorization/index.ts';
import { contextMigrations } from '../../context/index.ts';
import { eventsMigrations } from '../../events/index.ts';
import type { Migration } from '../../kernel/database/migrate.ts';
import { kernelMigrations } from '../../kernel/kernel-migrations.ts';
import { swapMigrations } from '../../swap/index.ts';

/** Every migration of the product, in the order they are applied, whichever services a process runs. */
export const migrations: readonly Migration[] = [
  ...kernelMigrations,
  ...swapMigrations,
  ...authorizationMigrations,
  ...eventsMigrations,
  ...contextMigrations,
];
