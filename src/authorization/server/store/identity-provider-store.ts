import type { Database, Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type { AccountId } from '../model/account.ts';

/** A sign-in that was begun and waits for the person to come back. */
export type IdentityProviderAttempt = {
  readonly stateHash: string;
  readonly cookieHash: string;
  readonly sealed: string;
  readonly expiresAt: number;
};

/** A person's session at the identity provider. Its tokens are sealed. */
export type IdentityProviderSession = {
  readonly id: string;
  readonly accountId: AccountId;
  readonly sealed: string;
  readonly expiresAt: number | undefined;
  readonly lastUsedAt: number;
  /** Until when a process has it in hand to renew it. */
  readonly renewingUntil: number;
};

export type IdentityProviderStore = {
  addAttempt(attempt: IdentityProviderAttempt): Promise<void>;
  /** Gives what was begun to the browser that began it, once (R8, A3). */
  takeAttempt(
    query: Pick<IdentityProviderAttempt, 'stateHash' | 'cookieHash'> & { now: number },
  ): Promise<string | undefined>;
  addSession(
    queries: Queries,
    session: Omit<IdentityProviderSession, 'renewingUntil'>,
  ): Promise<void>;
  findSession(id: string): Promise<IdentityProviderSession | undefined>;
  touchSession(id: string, at: number): Promise<void>;
  /** Takes the session in hand for its renewal; of several processes one gets it. */
  claimRenewal(
    id: string,
    claim: { now: number; until: number },
  ): Promise<IdentityProviderSession | undefined>;
  releaseRenewal(id: string): Promise<void>;
  /** Stores new tokens and lets go of the claim. Answers whether the session was still there. */
  saveTokens(
    queries: Queries,
    id: string,
    tokens: Pick<IdentityProviderSession, 'sealed' | 'expiresAt'>,
  ): Promise<boolean>;
  removeSession(id: string): Promise<void>;
  listIdle(before: number): Promise<readonly string[]>;
  prune(now: number): Promise<void>;
};

type SessionRow = {
  session_id: string;
  account_id: string;
  sealed: string;
  expires_at: number | null;
  last_used_at: number;
  renewing_until: number;
};

export function createIdentityProviderStore(database: Database): IdentityProviderStore {
  return {
    async addAttempt({ stateHash, cookieHash, sealed, expiresAt }) {
      await database.run(sql`
        INSERT INTO third_party_attempts (state_hash, cookie_hash, sealed, expires_at)
        VALUES (${stateHash}, ${cookieHash}, ${sealed}, ${expiresAt})`);
    },
    async takeAttempt({ stateHash, cookieHash, now }) {
      const row = await database.first<{ sealed: string }>(sql`
        DELETE FROM third_party_attempts
        WHERE state_hash = ${stateHash} AND cookie_hash = ${cookieHash} AND expires_at > ${now}
        RETURNING sealed`);
      return row?.sealed;
    },
    async addSession(queries, { id, accountId, sealed, expiresAt = null, lastUsedAt }) {
      await queries.run(sql`
        INSERT INTO third_party_sessions
          (session_id, account_id, sealed, expires_at, last_used_at, renewing_until)
        VALUES (${id}, ${accountId}, ${sealed}, ${expiresAt}, ${lastUsedAt}, 0)`);
    },
    async findSession(id) {
      const row = await database.first<SessionRow>(
        sql`SELECT * FROM third_party_sessions WHERE session_id = ${id}`,
      );
      return row && toSession(row);
    },
    async touchSession(id, at) {
      await database.run(
        sql`UPDATE third_party_sessions SET last_used_at = ${at} WHERE session_id = ${id}`,
      );
    },
    async claimRenewal(id, { now, until }) {
      const row = await database.first<SessionRow>(sql`
        UPDATE third_party_sessions SET renewing_until = ${until}
        WHERE session_id = ${id} AND renewing_until <= ${now} RETURNING *`);
      return row && toSession(row);
    },
    async releaseRenewal(id) {
      await database.run(
        sql`UPDATE third_party_sessions SET renewing_until = 0 WHERE session_id = ${id}`,
      );
    },
    async saveTokens(queries, id, { sealed, expiresAt = null }) {
      const saved = await queries.run(sql`
        UPDATE third_party_sessions
        SET sealed = ${sealed}, expires_at = ${expiresAt}, renewing_until = 0
        WHERE session_id = ${id}`);
      return saved === 1;
    },
    async removeSession(id) {
      await database.transaction(async (tx) => {
        await tx.run(sql`DELETE FROM third_party_sessions WHERE session_id = ${id}`);
        await tx.run(sql`DELETE FROM browser_sessions WHERE third_party_session_id = ${id}`);
      });
    },
    async listIdle(before) {
      const rows = await database.all<{ session_id: string }>(sql`
        SELECT session_id FROM third_party_sessions WHERE last_used_at <= ${before} LIMIT 500`);
      return rows.map((row) => row.session_id);
    },
    async prune(now) {
      await database.run(sql`DELETE FROM third_party_attempts WHERE expires_at <= ${now}`);
    },
  };
}

function toSession(row: SessionRow): IdentityProviderSession {
  return {
    id: row.session_id,
    accountId: row.account_id as AccountId, // written by this store from the id of an account
    sealed: row.sealed,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at,
    renewingUntil: row.renewing_until,
  };
}
