import type { Migration } from '../../../../kernel/database/migrate.ts';

/** Sign-ins at the identity provider that are under way, and the sessions they led to; both sealed (S14). */
export const identityProviderMigrations: readonly Migration[] = [
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
