import type { Database, Transaction, Unlisten } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import { parseJson } from '../../kernel/parse-json.ts';

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

/** A message of a stream that another process began, at its place in the log there. */
export type HandedMessage = { readonly order: number; readonly text: string };

/** What one process tells the others of a session. */
export type SessionNotice = { readonly from: string; readonly id: string } & (
  | { readonly kind: 'ended' | 'watches' | 'stream' }
  | { readonly kind: 'cancelled'; readonly params: unknown }
  /** The process `to` began this stream, and its messages are wanted elsewhere. */
  | { readonly kind: 'resumed'; readonly to: string; readonly streamId: string }
);

/** A notice without the process it comes from. */
export type Told = SessionNotice extends infer Notice
  ? Notice extends SessionNotice
    ? Omit<Notice, 'from'>
    : never
  : never;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** How late the time of the last use may be in the store. */
export const touchEveryMs = 30_000;

const channel = 'context-sessions';
/** A notification holds 8,000 bytes. */
const longestNotice = 7_000;

/**
 * Sessions in the database, for all processes. Nothing of it waits for the disk: a client whose session is gone
 * begins a new one.
 */
export function createSessionStore(database: Database, from: string) {
  const { relaxed } = database;

  function tell(tx: Transaction, told: Told): void {
    const notice = JSON.stringify({ ...told, from });
    if (Buffer.byteLength(notice) < longestNotice) tx.notify(channel, notice);
  }

  async function forget(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const gone = sqlList(ids);
    await tx.run(sql`DELETE FROM context_sessions WHERE id IN ${gone}`);
    await tx.run(sql`DELETE FROM context_watches WHERE session_id IN ${gone}`);
    await tx.run(sql`DELETE FROM context_answers WHERE session_id IN ${gone}`);
    for (const id of ids) tell(tx, { kind: 'ended', id });
  }

  return {
    /** Adds a session; those that are idle go, and of its owner's those beyond `most`, unused for longest. */
    async insert(record: SessionRecord, limits: { idleSince: number; most: number }) {
      const { id, owner, revision, usedAt } = record;
      await relaxed.transaction(async (tx) => {
        await tx.run(sql`
          INSERT INTO context_sessions (id, owner, revision, used_at)
          VALUES (${id}, ${owner}, ${revision}, ${usedAt})`);
        const over = await tx.all<{ id: string }>(sql`
          SELECT id FROM (
            SELECT id FROM context_sessions WHERE owner = ${owner}
            ORDER BY used_at DESC, id LIMIT 1000 OFFSET ${limits.most}) AS too_many
          UNION SELECT id FROM (
            SELECT id FROM context_sessions WHERE used_at < ${limits.idleSince} LIMIT 100) AS idle`);
        await forget(
          tx,
          over.map((one) => one.id).filter((one) => one !== id),
        );
      });
    },

    async find(id: string): Promise<SessionRecord | undefined> {
      const row = await database.first<{ owner: string; revision: string; used_at: number }>(
        sql`SELECT owner, revision, used_at FROM context_sessions WHERE id = ${id}`,
      );
      return row && { id, owner: row.owner, revision: row.revision, usedAt: row.used_at };
    },

    /** Answers whether it is still there. */
    async touch(id: string, usedAt: number): Promise<boolean> {
      return (
        (await relaxed.run(
          sql`UPDATE context_sessions SET used_at = ${usedAt} WHERE id = ${id}`,
        )) === 1
      );
    },

    async delete(id: string): Promise<void> {
      await relaxed.transaction((tx) => forget(tx, [id]));
    },

    /** The addresses of the pairs that a session watches. */
    async watchesOf(id: string): Promise<readonly string[]> {
      const rows = await database.all<{ uri: string }>(
        sql`SELECT uri FROM context_watches WHERE session_id = ${id} ORDER BY uri`,
      );
      return rows.map(({ uri }) => uri);
    },

    async addWatch(id: string, uri: string): Promise<void> {
      await relaxed.transaction(async (tx) => {
        await tx.run(sql`
          INSERT INTO context_watches (session_id, uri) VALUES (${id}, ${uri}) ON CONFLICT DO NOTHING`);
        tell(tx, { kind: 'watches', id });
      });
    },

    async removeWatch(id: string, uri: string): Promise<void> {
      await relaxed.transaction(async (tx) => {
        await tx.run(sql`DELETE FROM context_watches WHERE session_id = ${id} AND uri = ${uri}`);
        tell(tx, { kind: 'watches', id });
      });
    },

    async handOver(id: string, streamId: string, { order, text }: HandedMessage): Promise<void> {
      await relaxed.run(sql`
        INSERT INTO context_answers (session_id, stream_id, position, message)
        VALUES (${id}, ${streamId}, ${order}, ${text}) ON CONFLICT DO NOTHING`);
    },

    /** The next message of a stream that was handed over. */
    async handedOver(id: string, { streamId, after }: { streamId: string; after: number }) {
      return database.first<{ order: number; text: string }>(sql`
        SELECT position AS "order", message AS text FROM context_answers
        WHERE session_id = ${id} AND stream_id = ${streamId} AND position > ${after}
        ORDER BY position LIMIT 1`);
    },

    async tell(told: Told): Promise<void> {
      await relaxed.transaction(async (tx) => tell(tx, told));
    },

    /** Calls back with what other processes tell, and with nothing when something may have been missed. */
    listen(callback: (notice?: SessionNotice) => void): Promise<Unlisten> {
      return database.listen(channel, (detail) => {
        if (detail === undefined) return callback();
        const notice = parseJson(detail) as SessionNotice; // written by tell() above alone
        if (notice.from !== from) callback(notice);
      });
    },
  };
}
