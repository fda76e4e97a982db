import type { Database, Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';

/** A stream of a session that one process began and another one goes on with. */
export type SessionStream = { readonly sessionId: string; readonly streamId: string };

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
