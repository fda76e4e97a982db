import type { Migration } from '../database/migrate.ts';

/** `rate_limits`: for each caller the time until which its tokens are given out, in microseconds. */
export const rateLimitMigrations: readonly Migration[] = [
  {
    id: 'kernel-0003-rate-limits',
    statements: () => [
      `CREATE TABLE rate_limits (
        name TEXT NOT NULL, key TEXT NOT NULL, given_until BIGINT NOT NULL,
        PRIMARY KEY (name, key))`,
      'CREATE INDEX rate_limits_by_time ON rate_limits (given_until)',
    ],
  },
];
