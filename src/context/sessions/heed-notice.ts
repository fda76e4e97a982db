import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Database } from '../../kernel/database/database.ts';
import { insertMessage } from '../store/answer-store.ts';
import { type SessionNotice, sendSessionNotice } from '../store/session-notices.ts';
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
      // The client now listens at the other process: each message goes to one stream of a session.
      transport.closeStandaloneSSEStream();
      break;
    case 'cancelled': {
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: notice.params };
      transport.onmessage?.(message as JSONRPCMessage); // the handler checks its content
      break;
    }
    case 'resumed': {
      const { to, from, streamId } = notice;
      if (to !== process) break;
      const isKnown = log.follow(streamId, (message) => {
        insertMessage(database, { sessionId: id, streamId }, message).catch(onFailure);
      });
      const answer = { kind: 'following', id, from: process, to: from, streamId, isKnown } as const;
      await sendSessionNotice(database, answer);
      break;
    }
    case 'following':
      if (notice.to === process) session.resumed.get(notice.streamId)?.hear(notice.isKnown);
  }
}
