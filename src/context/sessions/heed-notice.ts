import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { SessionNotice, SessionStore } from '../store/session-store.ts';
import type { HeldSession } from './hold-session.ts';

export type HeedOptions = {
  /** This process. */
  readonly process: string;
  readonly store: SessionStore;
  readonly onFailure: (error: unknown) => void;
};

/** Does in this process what another one tells of a session that both hold. */
export async function heedNotice(
  session: HeldSession,
  notice: SessionNotice,
  { process, store, onFailure }: HeedOptions,
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
        store.handOver(id, notice.streamId, message).catch(onFailure);
      });
  }
}
