import type { Migration } from '../../../../kernel/database/migrate.ts';

/**
 * `interactions`: requests that wait for a person, by the hash of their id. `pushed_requests`: those
 * that wait for the browser (RFC 9126). Both are gone when they have been used.
 */
export const requestMigrations: readonly Migration[] = [
  {
    id: 'authorization-0004-requests',
    statements: () => [
      `CREATE TABLE interactions (
        id_hash TEXT PRIMARY KEY, request TEXT NOT NULL, created_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL)`,
      'CREATE INDEX interactions_by_expiry ON interactions (expires_at)',
      `CREATE TABLE pushed_requests (
        id_hash TEXT PRIMARY KEY, client_id TEXT NOT NULL, parameters TEXT NOT NULL,
        expires_at BIGINT NOT NULL)`,
      'CREATE INDEX pushed_requests_by_expiry ON pushed_requests (expires_at)',
    ],
  },
  {
    id: 'authorization-0006-interaction-callers',
    statements: () => [
      "ALTER TABLE interactions ADD COLUMN caller TEXT NOT NULL DEFAULT ''",
      'CREATE INDEX interactions_by_caller ON interactions (caller, created_at)',
    ],
  },
  {
    // The oldest requests are removed beyond a bound, and a device learns that its request was (N5).
    id: 'authorization-0018-interactions-by-age',
    statements: () => [
      'ALTER TABLE interactions ADD COLUMN device_code_hash TEXT',
      'CREATE INDEX interactions_by_age ON interactions (created_at, id_hash)',
    ],
  },
];
