import type { Migration } from '../../../../kernel/database/migrate.ts';

/**
 * `clients`: who registered or was made by the operator. `metadata` is what the client
 * says of itself, as JSON; `expires_at` is there until the client is used for the first time.
 */
export const clientMigrations: readonly Migration[] = [
  {
    id: 'authorization-0001-clients',
    statements: ({ sortedText }) => [
      `CREATE TABLE clients (
        client_id ${sortedText} PRIMARY KEY, origin TEXT NOT NULL, metadata TEXT NOT NULL,
        secret_hash TEXT, registration_token_hash TEXT NOT NULL,
        created_at BIGINT NOT NULL, expires_at BIGINT)`,
      `CREATE INDEX clients_unused ON clients (expires_at)
        WHERE expires_at IS NOT NULL`,
    ],
  },
  {
    // Who registered a client, so that one caller keeps only so many (N5).
    id: 'authorization-0007-client-callers',
    statements: () => [
      'ALTER TABLE clients ADD COLUMN caller TEXT',
      `CREATE INDEX clients_unused_of_caller ON clients (caller, created_at)
        WHERE caller IS NOT NULL AND expires_at IS NOT NULL`,
      "CREATE INDEX clients_registered ON clients (created_at) WHERE origin = 'registered'",
    ],
  },
  {
    // Written behind, at most once a minute for each client.
    id: 'authorization-0011-uses-of-clients',
    statements: () => ['ALTER TABLE clients ADD COLUMN last_used_at BIGINT'],
  },
  {
    // Finds the oldest without reading the rows, because all are counted each minute.
    id: 'authorization-0015-clients-by-age',
    statements: () => [
      "CREATE INDEX clients_by_age ON clients (created_at, client_id) WHERE origin = 'registered'",
      'DROP INDEX clients_registered',
    ],
  },
];
