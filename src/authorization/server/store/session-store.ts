import type { Database } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type { Account, AccountId } from '../model/account.ts';
import { type AccountRow, toAccount } from './account-store.ts';

/** A browser in which somebody has signed in. */
export type Session = {
  readonly account: Account;
  /** The session at the identity provider by which they signed in, where there is one. */
  readonly identityProviderSessionId: string | undefined;
  readonly signedInAt: number;
  readonly lastUsedAt: number;
};

/** What a session must not be older than to count. */
export type SessionAge = { readonly signedInAfter: number; readonly usedAfter: number };

/** The sessions of browsers, by the hash of their cookie. */
export type SessionStore = {
  find(cookieHash: string, age: SessionAge): Promise<Session | undefined>;
  touch(cookieHash: string, at: number): Promise<void>;
  /** Begins a session and ends the one the browser had before, in one step. */
  begin(session: {
    readonly cookieHash: string;
    readonly accountId: AccountId;
    readonly identityProviderSessionId: string | undefined;
    readonly at: number;
    readonly replaces: string | undefined;
  }): Promise<void>;
  end(cookieHash: string): Promise<void>;
  endAll(accountId: AccountId): Promise<void>;
  prune(age: SessionAge): Promise<void>;
};

type SessionRow = AccountRow & {
  third_party_session_id: string | null;
  signed_in_at: number;
  last_used_at: number;
};

export function createSessionStore(database: Database): SessionStore {
  return {
    async find(cookieHash, { signedInAfter, usedAfter }) {
      const row = await database.first<SessionRow>(sql`
        SELECT accounts.account_id, name, is_owner, third_party_session_id, signed_in_at, last_used_at
        FROM browser_sessions JOIN accounts ON accounts.account_id = browser_sessions.account_id
        WHERE cookie_hash = ${cookieHash}
          AND signed_in_at > ${signedInAfter} AND last_used_at > ${usedAfter}`);
      return row && toSession(row);
    },
    async touch(cookieHash, at) {
      await database.run(
        sql`UPDATE browser_sessions SET last_used_at = ${at} WHERE cookie_hash = ${cookieHash}`,
      );
    },
    begin: ({ cookieHash, accountId, identityProviderSessionId = null, at, replaces }) =>
      database.transaction(async (tx) => {
        if (replaces !== undefined) {
          await tx.run(sql`DELETE FROM browser_sessions WHERE cookie_hash = ${replaces}`);
        }
        await tx.run(sql`
          INSERT INTO browser_sessions
            (cookie_hash, account_id, third_party_session_id, signed_in_at, last_used_at)
          VALUES (${cookieHash}, ${accountId}, ${identityProviderSessionId}, ${at}, ${at})`);
      }),
    async end(cookieHash) {
      await database.run(sql`DELETE FROM browser_sessions WHERE cookie_hash = ${cookieHash}`);
    },
    async endAll(accountId) {
      await database.run(sql`DELETE FROM browser_sessions WHERE account_id = ${accountId}`);
    },
    async prune({ signedInAfter, usedAfter }) {
      await database.run(sql`
        DELETE FROM browser_sessions
        WHERE signed_in_at <= ${signedInAfter} OR last_used_at <= ${usedAfter}`);
    },
  };
}

function toSession(row: SessionRow): Session {
  return {
    account: toAccount(row),
    identityProviderSessionId: row.third_party_session_id ?? undefined,
    signedInAt: row.signed_in_at,
    lastUsedAt: row.last_used_at,
  };
}
