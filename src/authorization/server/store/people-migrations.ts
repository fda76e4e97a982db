import type { Migration } from '../../../kernel/database/migrate.ts';

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
];
