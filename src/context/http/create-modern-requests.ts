import {
  createMcpHandler,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { DomainError } from '../../kernel/domain-error.ts';
import { type ContextCaller, toAuthInfo } from '../caller.ts';
import { checkPairUris, createPairWatches } from '../resources/pair-watches.ts';
import type { PairUseCases } from '../use-cases.ts';

/** Revision 2026-07-28, in which each request stands alone. */
export type ModernRequests = {
  serve(
    request: Request,
    options: {
      readonly caller: ContextCaller;
      readonly body: unknown;
      readonly signal: AbortSignal;
    },
  ): Promise<Response>;
};

// Each holds a connection and its watches.
const mostListeners = 1_024;

export type ModernRequestsOptions = {
  createServer(): McpServer;
  /** What can be listened to, if anything. */
  readonly pairs?: PairUseCases | undefined;
  /** Told of what clients do wrong. */
  readonly onRefusal: (error: Error) => void;
};

/** Serves requests one by one; a stream that listens to pairs watches them for as long as it is open. */
export function createModernRequests(options: ModernRequestsOptions): ModernRequests {
  const { createServer, pairs, onRefusal: onerror } = options;
  let listeners = 0;

  /** The bus of one stream: its only news are changes of the pairs that the stream asked for. */
  function watchBus(uris: readonly string[]): ServerEventBus {
    return {
      publish: () => {},
      subscribe(listener) {
        const watches = pairs
          ? createPairWatches(pairs, (uri) => listener({ kind: 'resource_updated', uri }))
          : undefined;
        for (const uri of uris) watches?.add(uri);
        listeners += 1;
        return () => {
          listeners -= 1;
          watches?.close();
        };
      },
    };
  }

  return {
    async serve(request, { caller, body, signal }) {
      const { data: listen } = listenMessage.safeParse(body);
      const uris = listen?.params.notifications.resourceSubscriptions ?? [];
      if (listen !== undefined) {
        if (listeners >= mostListeners) return refuse(listen.id, 'Too many streams are open.');
        try {
          checkPairUris(uris);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          return refuse(listen.id, `${error.code}: ${error.message}`);
        }
      }
      const bus = watchBus(uris);
      const handler = createMcpHandler(createServer, { legacy: 'reject', bus, onerror });
      if (listen !== undefined) signal.addEventListener('abort', () => void handler.close());
      return handler.fetch(request, { parsedBody: body, authInfo: toAuthInfo(caller) });
    },
  };
}

const listenMessage = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.object({
    notifications: z.object({ resourceSubscriptions: z.array(z.string()).optional() }),
  }),
});

function refuse(id: string | number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_602, message }, id });
}
