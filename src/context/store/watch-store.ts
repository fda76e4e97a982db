import type { Database, Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import { notifySession } from './session-store.ts';

/** A pair that a session watches, by its address. `from` is the process that says so. */
export type WatchChange = {
  readonly sessionId: string;
  readonly uri: string;
  readonly from: string;
};

/** The addresses of the pairs that a session watches. */
export async function listWatches(queries: Queries, sessionId: string): Promise<readonly string[]> {
  const rows = await queries.all<{ uri: string }>(
    sql`SELECT uri FROM context_watches WHERE session_id = ${sessionId} ORDER BY uri`,
  );
  return rows.map(({ uri }) => uri);
}

/**
 * How many pairs a session watches before another one is added, and how many all sessions of its owner watch together.
 * A pair counts once for each session.
 */
export type WatchCounts = { readonly ofSession: number; readonly ofOwner: number };

/**
 * Adds a watch and returns whether it is new. `admit` gets the current counts first, and its error is passed on; calls
 * for one owner run one after another, so that the counts stay true. A session that has ended meanwhile gets no watch.
 */
export async function insertWatch(
  { relaxed }: Database,
  { sessionId, owner, uri, from }: WatchChange & { readonly owner: string },
  admit: (counts: WatchCounts) => void,
): Promise<boolean> {
  return relaxed.transaction(async (tx) => {
    await tx.first(tx.dialect.lock(`context.watches ${owner}`));
    const own = await listWatches(tx, sessionId);
    if (own.includes(uri)) return false;
    admit({ ofSession: own.length, ofOwner: await countWatches(tx, owner) });
    // A transaction that ends the session waits for this row, and then removes the watch too.
    const added = await tx.run(sql`
      INSERT INTO context_watches (session_id, uri)
      SELECT id, CAST(${uri} AS TEXT) FROM context_sessions WHERE id = ${sessionId} ${tx.dialect.forUpdate}`);
    notifySession(tx, { kind: 'watches', id: sessionId, from });
    return added === 1;
  });
}

async function countWatches(queries: Queries, owner: string): Promise<number> {
  const row = await queries.first<{ count: number }>(sql`
    SELECT COUNT(*) AS count FROM context_watches WHERE session_id IN (
      SELECT id FROM context_sessions WHERE owner = ${owner})`);
  return row?.count ?? 0;
}

export async function deleteWatch(
  { relaxed }: Database,
  { sessionId, uri, from }: WatchChange,
): Promise<void> {
  await relaxed.transaction(async (tx) => {
    await tx.run(sql`
      DELETE FROM context_watches WHERE session_id = ${sessionId} AND uri = ${uri}`);
    notifySession(tx, { kind: 'watches', id: sessionId, from });
  });
}
