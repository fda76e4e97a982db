import type { Migration } from '../../../../kernel/database/migrate.ts';

/**
 * Who can sign in and who has. Passwords are argon2id; every other secret is there as SHA-256 alone
 * (R7): cookies, the set-up link, nonces of wallets.
 */
export const peopleMigrations: readonly Migration[] = [
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
