import type { Database, Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import { notifySession } from './session-notices.ts';

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

/** How many pairs all sessions of its owner watch, each counted for each session. */
export async function countWatchesOfOwner(queries: Queries, sessionId: string): Promise<number> {
  const row = await queries.first<{ count: number }>(sql`
    SELECT COUNT(*) AS count FROM context_watches WHERE session_id IN (
      SELECT id FROM context_sessions
      WHERE owner = (SELECT owner FROM context_sessions WHERE id = ${sessionId}))`);
  return row?.count ?? 0;
}

export async function insertWatch(
  { relaxed }: Database,
  { sessionId, uri, from }: WatchChange,
): Promise<void> {
  await relaxed.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO context_watches (session_id, uri) VALUES (${sessionId}, ${uri})
      ON CONFLICT DO NOTHING`);
    notifySession(tx, { kind: 'watches', id: sessionId, from });
  });
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
