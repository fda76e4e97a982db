import type { Migration } from '../kernel/database/migrate.ts';
import { outboxMigrations } from '../kernel/outbox/outbox-migrations.ts';
import { rateLimitMigrations } from '../kernel/rate-limit/rate-limit-migrations.ts';
import { scheduleMigrations } from '../kernel/schedule/schedule-migrations.ts';
import { swapMigrations } from '../swap/index.ts';

/** Every migration of the product, in the order they are applied, whichever services a process runs. */
export const migrations: readonly Migration[] = [
  ...outboxMigrations,
  ...scheduleMigrations,
  ...rateLimitMigrations,
  ...swapMigrations,
];
