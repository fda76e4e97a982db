import type { Migration } from '../../kernel/database/migrate.ts';

/**
 * `clients`: who registered or was made by the operator. `metadata` is what the client
 * says of itself, as JSON; `expires_at` is there until the client is used for the first time.
 */
const clientMigrations: readonly Migration[] = [
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

/** Grants, the codes that carry them, the keys that sign their tokens, and revocations. */
const tokenMigrations: readonly Migration[] = [
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

/**
 * `interactions`: requests that wait for a person, by the hash of their id. `pushed_requests`: those
 * that wait for the browser (RFC 9126). Both are gone when they have been used.
 */
const requestMigrations: readonly Migration[] = [
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

/**
 * Who can sign in and who has. Passwords are argon2id; every other secret is there as SHA-256 alone
 * (R7): cookies, the set-up link, nonces of wallets.
 */
const peopleMigrations: readonly Migration[] = [
  {
    id: 'authorization-0003-people',
    statements: () => [
      `CREATE TABLE accounts (
        account_id TEXT PRIMARY KEY, name TEXT NOT NULL, username TEXT UNIQUE,
        password_hash TEXT, is_owner BIGINT NOT NULL, created_at BIGINT NOT NULL)`,
      `CREATE TABLE account_identities (
        issuer TEXT NOT NULL, subject TEXT NOT NULL, account_id TEXT NOT NULL,
        PRIMARY KEY (issuer, subject))`,
      'CREATE INDEX account_identities_by_account ON account_identities (account_id)',
      `CREATE TABLE browser_sessions (
        cookie_hash TEXT PRIMARY KEY, account_id TEXT NOT NULL, third_party_session_id TEXT,
        signed_in_at BIGINT NOT NULL, last_used_at BIGINT NOT NULL)`,
      'CREATE INDEX browser_sessions_by_account ON browser_sessions (account_id)',
      'CREATE INDEX browser_sessions_by_use ON browser_sessions (last_used_at)',
      `CREATE TABLE set_up_secrets (
        secret_hash TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)`,
      `CREATE TABLE wallet_challenges (
        nonce_hash TEXT PRIMARY KEY, cookie_hash TEXT NOT NULL, place_hash TEXT NOT NULL,
        address TEXT NOT NULL, message TEXT NOT NULL, expires_at BIGINT NOT NULL)`,
      'CREATE INDEX wallet_challenges_by_expiry ON wallet_challenges (expires_at)',
    ],
  },
  {
    id: 'authorization-0007-roles',
    statements: () => [
      "ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'member'",
      "UPDATE accounts SET role = 'owner' WHERE is_owner = 1",
      'ALTER TABLE accounts DROP COLUMN is_owner',
      // Links by which somebody chooses a password: an invitation, or a reset by an admin.
      `CREATE TABLE password_links (
        secret_hash TEXT PRIMARY KEY, account_id TEXT NOT NULL, purpose TEXT NOT NULL,
        expires_at BIGINT NOT NULL)`,
      'CREATE INDEX password_links_by_account ON password_links (account_id)',
    ],
  },
  {
    id: 'authorization-0008-visible-sessions',
    statements: () => [
      'ALTER TABLE browser_sessions ADD COLUMN session_id TEXT',
      "ALTER TABLE browser_sessions ADD COLUMN device TEXT NOT NULL DEFAULT ''",
      "ALTER TABLE browser_sessions ADD COLUMN address TEXT NOT NULL DEFAULT ''",
      // A part of a hash tells nothing of the cookie that it was made from.
      "UPDATE browser_sessions SET session_id = 's' || SUBSTR(cookie_hash, 1, 22)",
      'CREATE UNIQUE INDEX browser_sessions_by_id ON browser_sessions (session_id)',
      'ALTER TABLE grants ADD COLUMN session_id TEXT',
      'CREATE INDEX grants_by_browser_session ON grants (session_id)',
    ],
  },
  {
    // Bounds the sessions of one account (N5), and finds old ones without reading the others (N1).
    id: 'authorization-0016-sessions-that-end',
    statements: () => [
      'CREATE INDEX browser_sessions_by_use_of_account ON browser_sessions (account_id, last_used_at)',
      'DROP INDEX browser_sessions_by_account',
      'CREATE INDEX browser_sessions_by_age ON browser_sessions (signed_in_at, session_id)',
      `CREATE INDEX browser_sessions_by_third_party ON browser_sessions (third_party_session_id)
        WHERE third_party_session_id IS NOT NULL`,
    ],
  },
];

/** Sign-ins at the identity provider that are under way, and the sessions they led to; both sealed (S14). */
const identityProviderMigrations: readonly Migration[] = [
  {
    id: 'authorization-0005-third-party',
    statements: () => [
      `CREATE TABLE third_party_attempts (
        state_hash TEXT PRIMARY KEY, cookie_hash TEXT NOT NULL, sealed TEXT NOT NULL,
        expires_at BIGINT NOT NULL)`,
      'CREATE INDEX third_party_attempts_by_expiry ON third_party_attempts (expires_at)',
      `CREATE TABLE third_party_sessions (
        session_id TEXT PRIMARY KEY, account_id TEXT NOT NULL, sealed TEXT NOT NULL,
        expires_at BIGINT, last_used_at BIGINT NOT NULL, renewing_until BIGINT NOT NULL)`,
      'CREATE INDEX third_party_sessions_by_use ON third_party_sessions (last_used_at)',
    ],
  },
  {
    // Removing a person reads no session of others (N1).
    id: 'authorization-0017-third-party-sessions-of-accounts',
    statements: () => [
      'CREATE INDEX third_party_sessions_by_account ON third_party_sessions (account_id, last_used_at)',
    ],
  },
];

/** Added servers that tokens may be for, and the scopes of each; a scope belongs to one (T4). */
const resourceMigrations: readonly Migration[] = [
  {
    id: 'authorization-0010-resources',
    statements: () => [
      `CREATE TABLE added_resources (
        id TEXT PRIMARY KEY, resource TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        created_at BIGINT NOT NULL)`,
      `CREATE TABLE added_scopes (
        name TEXT PRIMARY KEY, resource_id TEXT NOT NULL, position BIGINT NOT NULL,
        description TEXT NOT NULL, holders TEXT NOT NULL)`,
      'CREATE INDEX added_scopes_by_resource ON added_scopes (resource_id)',
    ],
  },
];

/** The tables of authorization, in the order they are made. */
export const authorizationMigrations: readonly Migration[] = [
  ...clientMigrations,
  ...tokenMigrations,
  ...requestMigrations,
  ...peopleMigrations,
  ...identityProviderMigrations,
  ...resourceMigrations,
];
