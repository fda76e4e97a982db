import type { Database, Queries, Transaction } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import { notifySession } from './session-notices.ts';

/** A session as every process knows it. */
export type SessionRecord = {
  readonly id: string;
  /** See `callerKey`. */
  readonly owner: string;
  /** The revision of the protocol that its client asked for. */
  readonly revision: string;
  /** In milliseconds since the epoch, late by at most {@link touchEveryMs}. */
  readonly usedAt: number;
};

/** How late the time of the last use may be in the store. */
export const touchEveryMs = 30_000;

/**
 * Adds a session. Removes idle sessions, and the least recently used ones of its owner beyond `most`. `from` is this
 * process. As with all writes here, nothing waits for the disk: a client whose session is gone begins a new one.
 */
export async function insertSession(
  { relaxed }: Database,
  { id, owner, revision, usedAt }: SessionRecord,
  { idleSince, most, from }: { idleSince: number; most: number; from: string },
): Promise<void> {
  await relaxed.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO context_sessions (id, owner, revision, used_at)
      VALUES (${id}, ${owner}, ${revision}, ${usedAt})`);
    const over = await tx.all<{ id: string }>(sql`
      SELECT id FROM (
        SELECT id FROM context_sessions WHERE owner = ${owner}
        ORDER BY used_at DESC, id LIMIT 1000 OFFSET ${most}) AS too_many
      UNION SELECT id FROM (
        SELECT id FROM context_sessions WHERE used_at < ${idleSince} LIMIT 100) AS idle`);
    const others = over.map((one) => one.id).filter((one) => one !== id);
    await deleteSessions(tx, others, from);
  });
}

export async function findSession(
  queries: Queries,
  id: string,
): Promise<SessionRecord | undefined> {
  const row = await queries.first<{ owner: string; revision: string; used_at: number }>(
    sql`SELECT owner, revision, used_at FROM context_sessions WHERE id = ${id}`,
  );
  return row && { id, owner: row.owner, revision: row.revision, usedAt: row.used_at };
}

/** Notes a use. Returns whether the session is still there. */
export async function touchSession(
  { relaxed }: Database,
  id: string,
  usedAt: number,
): Promise<boolean> {
  const touched = await relaxed.run(
    sql`UPDATE context_sessions SET used_at = ${usedAt} WHERE id = ${id}`,
  );
  return touched === 1;
}

/** Ends a session everywhere; `from` is this process, which needs no notification. */
export async function deleteSession(
  { relaxed }: Database,
  id: string,
  from: string,
): Promise<void> {
  await relaxed.transaction((tx) => deleteSessions(tx, [id], from));
}

async function deleteSessions(
  tx: Transaction,
  ids: readonly string[],
  from: string,
): Promise<void> {
  if (ids.length === 0) return;
  const gone = sqlList(ids);
  await tx.run(sql`DELETE FROM context_sessions WHERE id IN ${gone}`);
  await tx.run(sql`DELETE FROM context_watches WHERE session_id IN ${gone}`);
  await tx.run(sql`DELETE FROM context_answers WHERE session_id IN ${gone}`);
  for (const id of ids) notifySession(tx, { kind: 'ended', id, from });
}
