import type { Database, Queries, Transaction, Unlisten } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import { parseJson } from '../../kernel/text/json.ts';

/** A session as every process knows it. */
type SessionRecord = {
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

/** A stream of a session that one process began and another one goes on with. */
type SessionStream = { readonly sessionId: string; readonly streamId: string };

/** A message of such a stream, at its place in the log of the process that began it. */
export type HandedMessage = { readonly order: number; readonly text: string };

/** Hands a message over to the process that goes on with the stream. */
export async function insertMessage(
  { relaxed }: Database,
  { sessionId, streamId }: SessionStream,
  { order, text }: HandedMessage,
): Promise<void> {
  await relaxed.run(sql`
    INSERT INTO context_answers (session_id, stream_id, position, message)
    VALUES (${sessionId}, ${streamId}, ${order}, ${text}) ON CONFLICT DO NOTHING`);
}

/** The first message that was handed over after the position `after`. */
export async function findMessage(
  queries: Queries,
  { sessionId, streamId }: SessionStream,
  after: number,
): Promise<HandedMessage | undefined> {
  return queries.first<{ order: number; text: string }>(sql`
    SELECT position AS "order", message AS text FROM context_answers
    WHERE session_id = ${sessionId} AND stream_id = ${streamId} AND position > ${after}
    ORDER BY position LIMIT 1`);
}

/** What one process notifies the others about a session. */
export type SessionNotice = {
  /** The process that sent it. */
  readonly from: string;
  /** The session. */
  readonly id: string;
} & (
  | { readonly kind: 'ended' | 'watches' | 'stream' }
  | { readonly kind: 'cancelled'; readonly params: unknown }
  /** The process `to` began this stream, and its messages are wanted elsewhere. */
  | { readonly kind: 'resumed'; readonly to: string; readonly streamId: string }
  /** The answer to it: whether the process that sent this knows the stream, and hands its messages over. */
  | {
      readonly kind: 'following';
      readonly to: string;
      readonly streamId: string;
      readonly isKnown: boolean;
    }
);

const channel = 'context-sessions';
/** A notification holds 8,000 bytes. */
const longestNotice = 7_000;

/** Tells the other processes once the transaction has committed; a notice that is too long is dropped. */
export function notifySession(tx: Transaction, notice: SessionNotice): void {
  const text = JSON.stringify(notice);
  if (Buffer.byteLength(text) < longestNotice) tx.notify(channel, text);
}

/** Tells the other processes now. */
export async function sendSessionNotice(database: Database, notice: SessionNotice): Promise<void> {
  await database.relaxed.transaction(async (tx) => notifySession(tx, notice));
}

/** Calls back with the notices of processes other than `process`, and without one if some may have been missed. */
export function listenForSessions(
  database: Database,
  process: string,
  callback: (notice?: SessionNotice) => void,
): Promise<Unlisten> {
  return database.listen(channel, (detail) => {
    if (detail === undefined) return callback();
    const notice = parseJson(detail) as SessionNotice; // written by notifySession alone
    if (notice.from !== process) callback(notice);
  });
}
