import { authorizationMigrations } from '../../src/authorization/store/migrations.ts';
import { contextMigrations } from '../../src/context/store/context-migrations.ts';
import { eventsMigrations } from '../../src/events/store/events-migrations.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { swapMigrations } from '../../src/swap/store/swap-migrations.ts';

/**
 * The same list as in `src/app`, as `tests/contract/product-migrations.test.ts` proves. This file does not import the
 * domains, which take a second to load in each test file.
 */
export const productMigrations = [
  ...kernelMigrations,
  ...swapMigrations,
  ...authorizationMigrations,
  ...eventsMigrations,
  ...contextMigrations,
];
