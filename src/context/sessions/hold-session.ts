import {
  type McpServer,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { InTurn } from '../../kernel/wait/turns.ts';
import type { KeepPairs } from '../create-protocol-server.ts';
import { type SharedPairs, sharedPairs } from '../resources/session-pairs.ts';
import { createEventLog, type EventLog } from './event-log.ts';

/** A stream that another process began and this one resumes. */
type ResumedStream = {
  /** Takes the other process's answer: whether it began the stream. */
  hear(isKnown: boolean): void;
  end(): void;
};

/** A session as one process holds it, with its connected protocol server. */
export type HeldSession = {
  readonly id: string;
  readonly owner: string;
  /** See `accountKey`. */
  readonly account: string;
  readonly isPerson: boolean;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly log: EventLog;
  /** Absent if there are no pairs to watch. */
  readonly pairs: SharedPairs | undefined;
  usedAt: number;
  /** When the last use was written to the store. */
  writtenAt: number;
  /** Notification streams that are open here. */
  streams: number;
  /** Streams that other processes began and this one continues, by their ids. */
  readonly resumed: Map<string, ResumedStream>;
  /** Stops waiting for the revocation of its last request's token. */
  letGo: () => void;
};

type HoldSessionOptions = Pick<HeldSession, 'id' | 'owner' | 'account' | 'isPerson'> & {
  createServer(keepPairs?: KeepPairs): McpServer;
  readonly database: Database;
  /** This process, see `EventPlace`. */
  readonly process: string;
  readonly clock: Clock;
  /** Shared by all sessions of this process. */
  readonly inTurn: InTurn;
  /** Called when `initialize` was accepted; its answer waits for this. */
  onBegun(session: HeldSession): Promise<void>;
  /** Called when the client ended the session; its answer waits for this. */
  onDeleted(session: HeldSession): Promise<void>;
  onClose(session: HeldSession): void;
};

/** Connects a protocol server to a session that is new, or that {@link catchUp} takes up. */
export async function holdSession(options: HoldSessionOptions): Promise<HeldSession> {
  const { id, owner, account, isPerson, database, process, clock } = options;
  const now = clock.now();
  let pairs: SharedPairs | undefined;
  const log = createEventLog({
    process,
    clock,
    async missedNotifications() {
      const uris = (await pairs?.uris()) ?? [];
      const method = 'notifications/resources/updated';
      return uris.map((uri) => ({ jsonrpc: '2.0', method, params: { uri } }));
    },
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: log,
    onsessioninitialized: () => options.onBegun(session),
    onsessionclosed: () => options.onDeleted(session),
  });
  const server = options.createServer((watches) => {
    pairs = sharedPairs(watches, { database, sessionId: id, owner, process });
    return pairs;
  });
  const session: HeldSession = {
    ...{ id, owner, account, isPerson, transport, log, pairs },
    ...{ usedAt: now, writtenAt: now, streams: 0, resumed: new Map(), letGo: () => {} },
  };
  transport.onclose = () => options.onClose(session);
  await server.connect(transport);
  handOverInTurns(transport, options);
  return session;
}

/** Brings a session that was begun before to its state after `initialize`, in its revision. */
export async function catchUp(
  { transport }: HeldSession,
  { revision, url }: { readonly revision: string; readonly url: string },
): Promise<void> {
  const request = new Request(url, {
    method: 'POST',
    headers: { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
  });
  const begin = {
    jsonrpc: '2.0',
    id: 'taken up',
    method: 'initialize',
    // The client's capabilities are unknown here and not needed: this server sends clients no requests.
    params: {
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: 'unknown', version: '' },
    },
  };
  const answer = await transport.handleRequest(request, { parsedBody: begin });
  await answer.text();
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

/**
 * Makes a connected transport deliver its messages one by one: a message that arrives during another waits for its own
 * turn of the event loop. The library delivers a batch at once, which would block the loop for all its answers (N1).
 * Messages stay in order, and those that still wait when the transport closes are dropped.
 */
function handOverInTurns(
  transport: Transport,
  { clock, inTurn }: { readonly clock: Clock; readonly inTurn: InTurn },
): void {
  const { onmessage: handOver, onclose } = transport;
  const waiting: (() => void)[] = [];
  let isHandingOver = false;

  async function handOverWaiting(): Promise<void> {
    await clock.turn();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await inTurn(next).catch((error) => transport.onerror?.(error));
      await clock.turn();
    }
    isHandingOver = false;
  }

  transport.onmessage = (message, extra) => {
    const step = () => handOver?.(message, extra);
    if (isHandingOver) {
      waiting.push(step);
      return;
    }
    isHandingOver = true;
    void handOverWaiting();
    step();
  };
  transport.onclose = () => {
    waiting.length = 0;
    onclose?.();
  };
}
