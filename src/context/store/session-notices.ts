import type { Database, Transaction, Unlisten } from '../../kernel/database/database.ts';
import { parseJson } from '../../kernel/text/parse-json.ts';

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
