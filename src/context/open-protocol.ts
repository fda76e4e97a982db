import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Database } from '../kernel/database/database.ts';
import { DomainError } from '../kernel/model/domain-error.ts';
import type { Random } from '../kernel/model/random.ts';
import { linkSignals, onAbort } from '../kernel/wait/cancel.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import { type ContextCaller, type ContextRequest, toAuthInfo } from './caller.ts';
import { refuseMessage } from './context-error.ts';
import type { KeepPairs } from './create-protocol-server.ts';
import { admitListeners, type ListenerAdmission } from './http/admit-listeners.ts';
import { createPairWatches } from './resources/pair-watches.ts';
import { eventStreamIds } from './sessions/answer-in-session.ts';
import { openSessions } from './sessions/open-sessions.ts';
import type { PairUseCases } from './use-cases.ts';

export type ProtocolOptions = {
  /** For one session, or one request that stands alone. */
  createServer(keepPairs: KeepPairs | undefined, listeners: ListenerAdmission): McpServer;
  /** What can be listened to, if anything. */
  readonly pairs?: PairUseCases | undefined;
  /** Called for errors of clients. */
  readonly onRefusal: (error: Error) => void;
  /** Called for failed writes. */
  readonly onFailure: (error: unknown) => void;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
};

/** Speaks the protocol with admitted callers. `close` ends what is open here; sessions stay in the store. */
export type Protocol = {
  serve(request: Request, options: ContextRequest): Promise<Response>;
  close(): Promise<void>;
};

/** Serves each request in its protocol revision: on its own since 2026-07-28, before that in a session. */
export async function openProtocol(options: ProtocolOptions): Promise<Protocol> {
  const { pairs, onRefusal } = options;
  const listeners = admitListeners();
  const createServer = (keepPairs?: KeepPairs) => options.createServer(keepPairs, listeners);
  const sessions = await openSessions({ ...options, createServer, listeners });
  const modern = createModernRequests({ createServer, pairs, listeners, onRefusal });
  return {
    async serve(request, asked) {
      const isLegacy = await isLegacyRequest(request, asked.body);
      return (isLegacy ? sessions : modern).serve(request, asked);
    },
    close: () => sessions.close(),
  };
}

/** Revision 2026-07-28, which has no sessions. */
export type ModernRequests = {
  serve(request: Request, options: ContextRequest): Promise<Response>;
};

export type ModernRequestsOptions = {
  createServer(): McpServer;
  /** What can be listened to, if anything. */
  readonly pairs?: PairUseCases | undefined;
  readonly listeners: ListenerAdmission;
  /** Called for errors of clients. */
  readonly onRefusal: (error: Error) => void;
};

/** Serves requests one by one; a stream that listens to pairs watches them for as long as it is open. */
export function createModernRequests(options: ModernRequestsOptions): ModernRequests {
  const { createServer, pairs, listeners, onRefusal: onerror } = options;

  /** Opens a stream whose only notifications are changes of the pairs that it asked for. */
  async function listen(
    request: Request,
    { id, uris, caller, handle, signal }: Listening,
  ): Promise<Response> {
    const over = linkSignals(signal);
    const stream = { pairs: uris.length, end: () => over.abort() };
    const admitted = listeners.enter(caller, stream);
    if ('refusal' in admitted) {
      over.release();
      const { refusal: message, status = 200 } = admitted;
      return refuseMessage({ status, code: -32_602, message, id });
    }
    let tell: (uri: string) => void = () => {};
    const watches = createPairWatches(pairs ?? nothing, (uri) => tell(uri));
    const end = () => {
      admitted.leave();
      over.release();
      watches.close();
    };
    let isListening = false;
    const bus: ServerEventBus = {
      publish: () => {},
      subscribe(listener) {
        isListening = true;
        tell = (uri) => listener({ kind: 'resource_updated', uri });
        return end;
      },
    };
    try {
      for (const uri of uris) watches.add(uri);
      return await handle(request, { bus, signal: over.signal });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return refuseMessage({ code: -32_602, message: `${error.code}: ${error.message}`, id });
    } finally {
      // The library subscribes before it answers; if it did not, it refused the request.
      if (!isListening) end();
    }
  }

  return {
    async serve(request, { caller, body, signal, connection }) {
      const handle: Handle = async (handled, { bus, signal: over }) => {
        const handler = createMcpHandler(() => createServer(), { legacy: 'reject', bus, onerror });
        const end = () => void handler.close();
        connection.onEnd(end);
        const authInfo = toAuthInfo(caller, connection);
        const response = await handler.fetch(handled, { parsedBody: body, authInfo });
        // A call may finish; a stream that listens would never end by itself.
        if (bus !== silence || isEventStream(body)) onAbort(over, end);
        return response;
      };
      const { data } = listenMessage.safeParse(body);
      if (data === undefined) return handle(request, { bus: silence, signal });
      const uris = data.params.notifications.resourceSubscriptions ?? [];
      return listen(request, { id: data.id, uris, caller, handle, signal });
    },
  };
}

type Listening = {
  readonly id: string | number;
  readonly uris: readonly string[];
  readonly caller: ContextCaller;
  readonly handle: Handle;
  readonly signal: AbortSignal;
};

/** A request whose stream, if it has one, ends with the signal. */
type Handle = (
  request: Request,
  stream: { readonly bus: ServerEventBus; readonly signal: AbortSignal },
) => Promise<Response>;

/** For requests that listen to nothing. */
const silence: ServerEventBus = { publish: () => {}, subscribe: () => () => {} };

/** For processes that watch nothing: the library then promises nothing either. */
const nothing = { watch: () => () => {} };

/** Whether a message asks for a stream of events, which would never end by itself. */
function isEventStream(body: unknown): boolean {
  return eventStreamIds(body).length > 0;
}

const listenMessage = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.object({
    notifications: z.object({ resourceSubscriptions: z.array(z.string()).optional() }),
  }),
});
