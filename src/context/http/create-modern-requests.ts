import {
  createMcpHandler,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { linkSignals } from '../../kernel/cancel/link-signals.ts';
import { onAbort } from '../../kernel/cancel/on-abort.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { type ContextCaller, toAuthInfo } from '../caller.ts';
import type { ContextRequest } from '../context-request.ts';
import { refuseMessage } from '../refuse-message.ts';
import { createPairWatches } from '../resources/pair-watches.ts';
import type { PairUseCases } from '../use-cases.ts';
import type { ListenerAdmission } from './admit-listeners.ts';

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
    async serve(request, { caller, body, signal }) {
      const handle: Handle = async (handled, { bus, signal: over }) => {
        const handler = createMcpHandler(() => createServer(), { legacy: 'reject', bus, onerror });
        const authInfo = toAuthInfo(caller);
        const response = await handler.fetch(handled, { parsedBody: body, authInfo });
        // A call may finish; a stream that listens would never end by itself.
        if (bus !== silence) onAbort(over, () => void handler.close());
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

const listenMessage = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.object({
    notifications: z.object({ resourceSubscriptions: z.array(z.string()).optional() }),
  }),
});
