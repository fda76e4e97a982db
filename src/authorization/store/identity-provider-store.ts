import type { Queries, Transactional } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import { authorizationLimits } from '../limits.ts';
import type { AccountId } from '../model/account.ts';
import { removeInSteps } from './page.ts';

/** A sign-in that was begun and waits for the person to come back. */
type IdentityProviderAttempt = {
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
  /** Until when a process claims it for renewal. */
  readonly renewingUntil: number;
};

const mostOfAccount = authorizationLimits.identityProviderSessionsOfAccount.value;

type SessionRow = {
  session_id: string;
  account_id: string;
  sealed: string;
  expires_at: number | null;
  last_used_at: number;
  renewing_until: number;
};

export async function addSignInAttempt(
  queries: Queries,
  { stateHash, cookieHash, sealed, expiresAt }: IdentityProviderAttempt,
): Promise<void> {
  await queries.run(sql`
    INSERT INTO third_party_attempts (state_hash, cookie_hash, sealed, expires_at)
    VALUES (${stateHash}, ${cookieHash}, ${sealed}, ${expiresAt})`);
}

/** Returns and removes the sign-in that this browser began; this works once (R8, A3). */
export async function takeSignInAttempt(
  queries: Queries,
  {
    stateHash,
    cookieHash,
    now,
  }: Pick<IdentityProviderAttempt, 'stateHash' | 'cookieHash'> & { now: number },
): Promise<string | undefined> {
  const row = await queries.first<{ sealed: string }>(sql`
    DELETE FROM third_party_attempts
    WHERE state_hash = ${stateHash} AND cookie_hash = ${cookieHash} AND expires_at > ${now}
    RETURNING sealed`);
  return row?.sealed;
}

export async function addProviderSession(
  queries: Queries,
  { id, accountId, sealed, expiresAt, lastUsedAt }: Omit<IdentityProviderSession, 'renewingUntil'>,
): Promise<void> {
  await queries.run(sql`
    INSERT INTO third_party_sessions
      (session_id, account_id, sealed, expires_at, last_used_at, renewing_until)
    VALUES (${id}, ${accountId}, ${sealed}, ${expiresAt ?? null}, ${lastUsedAt}, 0)`);
}

export async function findProviderSession(
  queries: Queries,
  id: string,
): Promise<IdentityProviderSession | undefined> {
  const row = await queries.first<SessionRow>(
    sql`SELECT * FROM third_party_sessions WHERE session_id = ${id}`,
  );
  return row && toSession(row);
}

export async function touchProviderSession(
  queries: Queries,
  id: string,
  at: number,
): Promise<void> {
  await queries.run(
    sql`UPDATE third_party_sessions SET last_used_at = ${at} WHERE session_id = ${id}`,
  );
}

/** Claims the session for renewal. Of several processes one gets the claim. */
export async function claimRenewal(
  queries: Queries,
  id: string,
  { now, until }: { now: number; until: number },
): Promise<IdentityProviderSession | undefined> {
  const row = await queries.first<SessionRow>(sql`
    UPDATE third_party_sessions SET renewing_until = ${until}
    WHERE session_id = ${id} AND renewing_until <= ${now} RETURNING *`);
  return row && toSession(row);
}

export async function releaseRenewal(queries: Queries, id: string): Promise<void> {
  await queries.run(
    sql`UPDATE third_party_sessions SET renewing_until = 0 WHERE session_id = ${id}`,
  );
}

/** Stores new tokens and releases the claim. Returns whether the session still existed. */
export async function saveProviderTokens(
  queries: Queries,
  id: string,
  { sealed, expiresAt }: Pick<IdentityProviderSession, 'sealed' | 'expiresAt'>,
): Promise<boolean> {
  const saved = await queries.run(sql`
    UPDATE third_party_sessions
    SET sealed = ${sealed}, expires_at = ${expiresAt ?? null}, renewing_until = 0
    WHERE session_id = ${id}`);
  return saved === 1;
}

export async function removeProviderSession(database: Transactional, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM third_party_sessions WHERE session_id = ${id}`);
    await tx.run(sql`DELETE FROM browser_sessions WHERE third_party_session_id = ${id}`);
  });
}

/**
 * Removes a few of the least recently used sessions of the account of the newest one, beyond a number, with the
 * browsers signed in by them (N5). Returns their ids. Sessions that a grant depends on stay and do not count: the
 * number of grants has a bound of its own.
 */
export async function removeOldestProviderSessions(
  tx: Queries,
  newest: Pick<IdentityProviderSession, 'id' | 'accountId'>,
  now: number,
): Promise<readonly string[]> {
  const removed = await tx.all<{ session_id: string }>(sql`
    DELETE FROM third_party_sessions WHERE session_id IN (
      SELECT session_id FROM third_party_sessions AS sessions
      WHERE account_id = ${newest.accountId} AND session_id <> ${newest.id} AND NOT EXISTS (
        SELECT 1 FROM grants
        WHERE third_party_session_id = sessions.session_id AND grants.expires_at > ${now})
      ORDER BY last_used_at DESC LIMIT 10 OFFSET ${mostOfAccount - 1})
    RETURNING session_id`);
  const ids = removed.map((row) => row.session_id);
  for (const id of ids) {
    await tx.run(sql`DELETE FROM browser_sessions WHERE third_party_session_id = ${id}`);
  }
  return ids;
}

/** Removes every session of an account. The caller removes the account with its grants and browsers. */
export async function removeProviderSessionsOf(tx: Queries, accountId: AccountId): Promise<void> {
  await removeInSteps(
    tx,
    (limit) => sql`
      DELETE FROM third_party_sessions WHERE session_id IN (
        SELECT session_id FROM third_party_sessions WHERE account_id = ${accountId} LIMIT ${limit})`,
  );
}

export async function listIdleProviderSessions(
  queries: Queries,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await queries.all<{ session_id: string }>(sql`
    SELECT session_id FROM third_party_sessions WHERE last_used_at <= ${before} LIMIT ${limit}`);
  return rows.map((row) => row.session_id);
}

/** Removes at most `limit` sign-ins: expired ones, and the oldest beyond a number. All have the same lifetime. */
export function pruneSignInAttempts(
  queries: Pick<Queries, 'run'>,
  { now, kept, limit }: { readonly now: number; readonly kept: number; readonly limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM third_party_attempts WHERE state_hash IN (
      SELECT state_hash FROM third_party_attempts WHERE expires_at <= ${now} OR expires_at <= (
        SELECT expires_at FROM third_party_attempts ORDER BY expires_at DESC LIMIT 1 OFFSET ${kept})
      LIMIT ${limit})`);
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
