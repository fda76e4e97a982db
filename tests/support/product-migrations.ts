import { authorizationMigrations } from '../../src/authorization/server/store/migrations/authorization-migrations.ts';
import { contextMigrations } from '../../src/context/store/context-migrations.ts';
import { eventsMigrations } from '../../src/events/store/migrations/events-migrations.ts';
import { kernelMigrations } from '../../src/kernel/kernel-migrations.ts';
import { swapMigrations } from '../../src/swap/store/swap-migrations.ts';

/**
 * The same list as `src/app` has, without the domains, which take a test file a second to load. That it is the same,
 * `tests/contract/product-migrations.test.ts` proves.
 */
export const productMigrations = [
  ...kernelMigrations,
  ...swapMigrations,
  ...authorizationMigrations,
  ...eventsMigrations,
  ...contextMigrations,
];
