import type { Queries, Transactional } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import { authorizationLimits } from '../limits.ts';
import type { Account, AccountId } from '../model/account.ts';
import { type AccountRow, toAccount } from './account-store.ts';
import { type Page, removeInSteps } from './page.ts';

/** A browser in which somebody has signed in. */
export type Session = {
  /** For listing and ending it; the id gives no access. */
  readonly id: string;
  readonly account: Account;
  /** The session at the identity provider by which they signed in, where there is one. */
  readonly identityProviderSessionId: string | undefined;
  readonly signedInAt: number;
  readonly lastUsedAt: number;
};

/** The times after which a session must have begun and been used to count. */
export type SessionAge = { readonly signedInAfter: number; readonly usedAfter: number };

type SessionRow = AccountRow & {
  session_id: string;
  third_party_session_id: string | null;
  signed_in_at: number;
  last_used_at: number;
};

export async function findSessionByCookie(
  queries: Queries,
  cookieHash: string,
  { signedInAfter, usedAfter }: SessionAge,
): Promise<Session | undefined> {
  const row = await queries.first<SessionRow>(sql`
    SELECT session_id, accounts.account_id, name, role, third_party_session_id, signed_in_at,
      last_used_at
    FROM browser_sessions JOIN accounts ON accounts.account_id = browser_sessions.account_id
    WHERE cookie_hash = ${cookieHash}
      AND signed_in_at > ${signedInAfter} AND last_used_at > ${usedAfter}`);
  return row && toSession(row);
}

export async function touchSession(
  queries: Queries,
  cookieHash: string,
  at: number,
): Promise<void> {
  await queries.run(
    sql`UPDATE browser_sessions SET last_used_at = ${at} WHERE cookie_hash = ${cookieHash}`,
  );
}

type NewSession = {
  readonly cookieHash: string;
  readonly accountId: AccountId;
  readonly identityProviderSessionId: string | undefined;
  readonly at: number;
  /** The hash of the cookie that the browser had before. */
  readonly replaces: string | undefined;
  /** What the person signs in with, as they would call it, and from where. */
  readonly device?: string;
  readonly address?: string;
};

const mostOfAccount = authorizationLimits.sessionsOfAccount.value;

/**
 * Begins a session and ends the previous one of the browser, in one step. The sessions of one account are bounded: it
 * ends the least recently used ones beyond the bound, a few each time (N5).
 */
export function beginSession(database: Transactional, session: NewSession): Promise<void> {
  const { cookieHash, accountId, identityProviderSessionId, at, replaces } = session;
  const { device = '', address = '' } = session;
  return database.transaction(async (tx) => {
    if (replaces !== undefined) {
      await tx.run(sql`DELETE FROM browser_sessions WHERE cookie_hash = ${replaces}`);
    }
    await tx.run(sql`
      INSERT INTO browser_sessions
        (cookie_hash, session_id, account_id, third_party_session_id, signed_in_at,
          last_used_at, device, address)
      VALUES (${cookieHash}, ${sessionIdOf(cookieHash)}, ${accountId},
        ${identityProviderSessionId ?? null}, ${at}, ${at}, ${device}, ${address})`);
    await tx.run(sql`
      DELETE FROM browser_sessions WHERE cookie_hash IN (
        SELECT cookie_hash FROM browser_sessions
        WHERE account_id = ${accountId} AND cookie_hash <> ${cookieHash}
        ORDER BY last_used_at DESC LIMIT 10 OFFSET ${mostOfAccount - 1})`);
  });
}

/** Whether the session goes on as that of the account. It then cannot end before the transaction does. */
export async function holdSession(
  tx: Queries,
  { sessionId, accountId }: { readonly sessionId: string; readonly accountId: AccountId },
): Promise<boolean> {
  const row = await tx.first(sql`
    SELECT session_id FROM browser_sessions
    WHERE session_id = ${sessionId} AND account_id = ${accountId} ${tx.dialect.forUpdate}`);
  return row !== undefined;
}

export async function endSession(queries: Queries, cookieHash: string): Promise<void> {
  await queries.run(sql`DELETE FROM browser_sessions WHERE cookie_hash = ${cookieHash}`);
}

export async function endSessionsOf(queries: Queries, accountId: AccountId): Promise<void> {
  await removeInSteps(
    queries,
    (limit) => sql`
      DELETE FROM browser_sessions WHERE cookie_hash IN (
        SELECT cookie_hash FROM browser_sessions WHERE account_id = ${accountId} LIMIT ${limit})`,
  );
}

/**
 * Forgets sessions that are old and sessions that are idle, at most `limit` of each, and returns how many of the more
 * numerous kind. One statement for both kinds could use no index.
 */
export async function pruneSessions(
  queries: Pick<Queries, 'run'>,
  { signedInAfter, usedAfter, limit }: SessionAge & { readonly limit: number },
): Promise<number> {
  const old = await queries.run(sql`
    DELETE FROM browser_sessions WHERE cookie_hash IN (
      SELECT cookie_hash FROM browser_sessions
      WHERE signed_in_at <= ${signedInAfter} LIMIT ${limit})`);
  const idle = await queries.run(sql`
    DELETE FROM browser_sessions WHERE cookie_hash IN (
      SELECT cookie_hash FROM browser_sessions WHERE last_used_at <= ${usedAfter} LIMIT ${limit})`);
  return Math.max(old, idle);
}

/** Ends at most `limit` of the least recently used sessions, beyond a total number (N5), and returns how many. */
export function pruneOldestSessions(
  queries: Pick<Queries, 'run'>,
  { kept, limit }: { readonly kept: number; readonly limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM browser_sessions WHERE cookie_hash IN (
      SELECT cookie_hash FROM browser_sessions
      ORDER BY last_used_at DESC LIMIT ${limit} OFFSET ${kept})`);
}

/** A session as it is shown, with what the person signed in with and from where. */
export type VisibleSession = Session & { readonly device: string; readonly address: string };

/** The sessions of one account or of all, in the order in which they began. */
export async function pageSessions(
  queries: Queries,
  wanted: Page & SessionAge & { readonly accountId: string | undefined },
): Promise<readonly VisibleSession[]> {
  const { accountId, after, limit, signedInAfter, usedAfter } = wanted;
  const isWanted =
    accountId === undefined ? sql`` : sql`browser_sessions.account_id = ${accountId} AND`;
  const rows = await queries.all<VisibleRow>(sql`
    SELECT ${visibleColumns} FROM browser_sessions
    JOIN accounts ON accounts.account_id = browser_sessions.account_id
    WHERE ${isWanted} signed_in_at > ${signedInAfter} AND last_used_at > ${usedAfter}
      AND (signed_in_at, session_id) > (${after.at}, ${after.id})
    ORDER BY signed_in_at, session_id LIMIT ${limit}`);
  return rows.map(toVisible);
}

export async function findSession(
  queries: Queries,
  id: string,
): Promise<VisibleSession | undefined> {
  const row = await queries.first<VisibleRow>(sql`
    SELECT ${visibleColumns} FROM browser_sessions
    JOIN accounts ON accounts.account_id = browser_sessions.account_id
    WHERE session_id = ${id}`);
  return row && toVisible(row);
}

/** Returns whether it was there. */
export async function deleteSession(queries: Queries, id: string): Promise<boolean> {
  const ended = await queries.run(sql`DELETE FROM browser_sessions WHERE session_id = ${id}`);
  return ended === 1;
}

const visibleColumns = sql`session_id, accounts.account_id, name, role, third_party_session_id,
  signed_in_at, last_used_at, device, address`;

type VisibleRow = SessionRow & { device: string; address: string };

function toVisible(row: VisibleRow): VisibleSession {
  const { device, address } = row;
  return { ...toSession(row), device, address };
}

/** A part of a hash tells nothing of the cookie that it was made from; no id begins with a dash. */
function sessionIdOf(cookieHash: string): string {
  return `s${cookieHash.slice(0, 22)}`;
}

function toSession(row: SessionRow): Session {
  return {
    id: row.session_id,
    account: toAccount(row),
    identityProviderSessionId: row.third_party_session_id ?? undefined,
    signedInAt: row.signed_in_at,
    lastUsedAt: row.last_used_at,
  };
}
