import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Database } from '../../kernel/database/database.ts';
import { insertMessage } from '../store/answer-store.ts';
import type { SessionNotice } from '../store/session-notices.ts';
import type { HeldSession } from './hold-session.ts';

export type HeedOptions = {
  /** This process. */
  readonly process: string;
  readonly database: Database;
  readonly onFailure: (error: unknown) => void;
};

/** Applies in this process what another one notifies about a session that both hold. */
export async function heedNotice(
  session: HeldSession,
  notice: SessionNotice,
  { process, database, onFailure }: HeedOptions,
): Promise<void> {
  const { id, transport, pairs, log } = session;
  switch (notice.kind) {
    case 'ended':
      await transport.close();
      break;
    case 'watches':
      if (session.streams > 0) await pairs?.follow();
      break;
    case 'stream':
      // The client listens there now: each message goes to one stream of a session.
      transport.closeStandaloneSSEStream();
      break;
    case 'cancelled': {
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: notice.params };
      transport.onmessage?.(message as JSONRPCMessage); // what it says is checked by who reads it
      break;
    }
    case 'resumed':
      if (notice.to !== process) break;
      log.follow(notice.streamId, (message) => {
        const stream = { sessionId: id, streamId: notice.streamId };
        insertMessage(database, stream, message).catch(onFailure);
      });
  }
}
