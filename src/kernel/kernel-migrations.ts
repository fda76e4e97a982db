import { masterKeyMigrations } from './crypto/open-master-key.ts';
import type { Migration } from './database/migrate.ts';
import { eventStreamMigrations } from './event-bus/jetstream/event-stream-migrations.ts';
import { leaseMigrations } from './lease/lease-migrations.ts';
import { heartbeatMigrations } from './lifecycle/open-heartbeat.ts';
import { outboxMigrations } from './outbox/outbox-migrations.ts';
import { rateLimitMigrations } from './rate-limit/rate-limit-migrations.ts';
import { scheduleMigrations } from './schedule/schedule-migrations.ts';

/** The kernel's own tables, which come before those of any domain. */
export const kernelMigrations: readonly Migration[] = [
  ...outboxMigrations,
  ...scheduleMigrations,
  ...rateLimitMigrations,
  ...masterKeyMigrations,
  ...leaseMigrations,
  ...eventStreamMigrations,
  ...heartbeatMigrations,
];
