import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { DomainError } from '../../kernel/model/domain-error.ts';
import type { ContextCaller } from '../caller.ts';
import type { PairUseCases } from '../use-cases.ts';
import {
  createPairWatches,
  type PairWatches,
  pairUriTemplate,
  parsePairUri,
} from './pair-watches.ts';
import { localPairs, type SessionPairs } from './session-pairs.ts';

const mimeType = 'application/json';

/**
 * Registers the prices of pairs as resources of a protocol server: any pair can be read; subscribed pairs
 * are listed and send a notification when they change. The watches of this process end with the
 * connection. Revision 2026-07-28 subscribes on a stream of its own instead, see
 * `open-protocol.ts`.
 */
export function registerPairs(
  server: McpServer,
  pairs: PairUseCases,
  options: {
    callerOf(context: ServerContext): ContextCaller;
    readonly onError: (error: unknown) => void;
    /** Records what is watched; by default in this process. */
    readonly keepPairs?: ((watches: PairWatches) => SessionPairs) | undefined;
  },
): void {
  const { keepPairs = localPairs } = options;
  const watched = keepPairs(
    createPairWatches(pairs, (uri) => {
      // Once the connection is gone, there is nobody to notify.
      void server.server.sendResourceUpdated({ uri }).catch(() => {});
    }),
  );
  const template = new ResourceTemplate(pairUriTemplate, {
    list: async () => ({
      resources: (await watched.uris()).map((uri) => ({ uri, name: uri, mimeType })),
    }),
  });
  server.registerResource(
    'pair',
    template,
    {
      title: 'Price of a pair',
      description:
        'The current price of one token in another. Subscribe to be notified when the price or the route changes.',
      mimeType,
    },
    async (uri, _variables, context) => {
      const asked = { caller: options.callerOf(context), signal: context.mcpReq.signal };
      const price = await explaining(() => pairs.read(parsePairUri(uri.href), asked));
      return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(price) }] };
    },
  );
  server.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    await explaining(() => watched.add(uri));
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    await explaining(() => watched.remove(uri));
    return {};
  });
  server.server.onclose = () => watched.close();

  /** Resources have no error results: a refusal becomes a protocol error, a fault one without details. */
  async function explaining<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof DomainError) {
        const { code, message, details } = error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${message}`, {
          code,
          ...details,
        });
      }
      options.onError(error);
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        'Something went wrong on this server; its log says what. Try again later.',
      );
    }
  }
}
