import type { Migration } from '../../../../kernel/database/migrate.ts';

/** Grants, the codes that carry them, the keys that sign their tokens, and revocations. */
export const tokenMigrations: readonly Migration[] = [
  {
    id: 'authorization-0001-signing-keys',
    statements: () => [
      `CREATE TABLE signing_keys (
        generation BIGINT PRIMARY KEY, kid TEXT NOT NULL, public_key TEXT NOT NULL,
        sealed TEXT NOT NULL, signs_from BIGINT NOT NULL, signs_until BIGINT NOT NULL)`,
    ],
  },
  {
    id: 'authorization-0002-grants',
    statements: () => [
      // The refresh columns are the one live refresh token of a grant: see refresh-token.ts.
      `CREATE TABLE grants (
        id TEXT PRIMARY KEY, account_id TEXT NOT NULL, client_id TEXT NOT NULL,
        scope TEXT NOT NULL, resources TEXT NOT NULL, third_party_session_id TEXT,
        created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
        refresh_id TEXT UNIQUE, refresh_hash TEXT, refresh_previous_hash TEXT, refresh_salt TEXT,
        refreshed_at BIGINT, dpop_thumbprint TEXT)`,
      'CREATE INDEX grants_by_account ON grants (account_id)',
      'CREATE INDEX grants_by_client ON grants (client_id)',
      'CREATE INDEX grants_by_session ON grants (third_party_session_id)',
      'CREATE INDEX grants_by_expiry ON grants (expires_at)',
      `CREATE TABLE authorization_codes (
        hash TEXT PRIMARY KEY, grant_id TEXT NOT NULL, redirect_uri TEXT NOT NULL,
        code_challenge TEXT NOT NULL, dpop_thumbprint TEXT,
        expires_at BIGINT NOT NULL, spent_at BIGINT)`,
      'CREATE INDEX authorization_codes_by_grant ON authorization_codes (grant_id)',
      `CREATE TABLE device_codes (
        hash TEXT PRIMARY KEY, client_id TEXT NOT NULL, grant_id TEXT, is_denied BIGINT NOT NULL,
        expires_at BIGINT NOT NULL, interval_seconds BIGINT NOT NULL, polled_at BIGINT,
        spent_at BIGINT)`,
      'CREATE INDEX device_codes_by_expiry ON device_codes (expires_at)',
    ],
  },
  {
    id: 'authorization-0003-revocations',
    statements: () => [
      `CREATE TABLE revocations (
        kind TEXT NOT NULL, subject TEXT NOT NULL, revoked_at BIGINT NOT NULL,
        valid_until BIGINT NOT NULL, PRIMARY KEY (kind, subject))`,
      'CREATE INDEX revocations_by_time ON revocations (revoked_at)',
      'CREATE INDEX revocations_by_end ON revocations (valid_until)',
      // Ids that may be used once: of DPoP proofs and of client assertions.
      'CREATE TABLE spent_ids (id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)',
      'CREATE INDEX spent_ids_by_expiry ON spent_ids (expires_at)',
    ],
  },
  {
    id: 'authorization-0009-age-of-keys',
    statements: () => [
      'ALTER TABLE signing_keys ADD COLUMN made_at BIGINT NOT NULL DEFAULT 0',
      'UPDATE signing_keys SET made_at = signs_from',
    ],
  },
  {
    // Finds the remaining grants of one person to one client, among all of the person and of the client.
    id: 'authorization-0012-grants-to-clients',
    statements: () => [
      'CREATE INDEX grants_by_account_and_client ON grants (account_id, client_id)',
      'DROP INDEX grants_by_account',
    ],
  },
  {
    // Bounds the grants of one account (N5), and finds its newest to show them.
    id: 'authorization-0013-grants-by-age',
    statements: () => ['CREATE INDEX grants_by_age ON grants (account_id, created_at, id)'],
  },
  {
    // From here on codes end with their grants; this removes those whose grants had ended before.
    id: 'authorization-0014-codes-without-grants',
    statements: () => [
      'DELETE FROM authorization_codes WHERE grant_id NOT IN (SELECT id FROM grants)',
    ],
  },
  {
    // Grants whose code waits to be redeemed are counted apart (N5). Older ones end within minutes, or were redeemed.
    id: 'authorization-0019-begun-grants',
    statements: () => [
      'ALTER TABLE grants ADD COLUMN is_begun BIGINT NOT NULL DEFAULT 1',
      'CREATE INDEX grants_by_beginning ON grants (account_id, is_begun, created_at, id)',
    ],
  },
  {
    // Nobody is asked for consent on the console, which is the page for one's sessions and grants: it goes on being that.
    // Every other grant keeps the scopes that its consent named (decision 29).
    id: 'authorization-0023-the-console-manages-accounts',
    statements: () => [
      `UPDATE grants SET scope = scope || ' account.manage'
        WHERE client_id = 'tradewind-console' AND ' ' || scope || ' ' NOT LIKE '% account.manage %'`,
    ],
  },
];
