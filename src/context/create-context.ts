import type { Database } from '../kernel/database/database.ts';
import type { Mount } from '../kernel/edge/mount.ts';
import { createRateLimiter } from '../kernel/edge/rate-limiter.ts';
import type { Random } from '../kernel/model/random.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import { onBehalfOfAll } from '../kernel/wait/presence.ts';
import { callerOf, connectionOf, type Protect } from './caller.ts';
import { createContextMount } from './http/create-context-mount.ts';
import { contextLimits } from './limits.ts';
import type { Protocol } from './open-protocol.ts';
import { boundWatches } from './resources/pair-watches.ts';
import { createTools } from './tools/create-tools.ts';
import type { ContextUseCases } from './use-cases.ts';

export type ContextOptions = {
  readonly useCases: ContextUseCases;
  readonly protect: Protect;
  readonly version: string;
  /** Keeps the sessions, for every process. */
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
};

/** The MCP endpoint. Call `close`, which ends every stream of this process, before the listener drains. */
export type Context = {
  readonly mount: Mount;
  close(): Promise<void>;
};

/** A client without a token asks for the scopes that read, and later for those that write (step-up). */
const suggestedScope = ['swap.read', 'subscriptions.read'];

/** Whether clients step up when they subscribe to events is unknown, so they ask for this at once (M66). */
const eventScope = 'subscriptions.write';

const { value: perMinute } = contextLimits.messages;

/** Makes the MCP endpoint out of its parts. The protocol library is loaded with the first request. */
export function createContext(options: ContextOptions): Context {
  const { useCases, protect, version, database, clock, random, logger } = options;
  const ending = new AbortController();
  const tools = createTools(useCases);
  const scopes = new Set(tools.map(({ scope }) => scope));
  let protocol: Promise<Protocol> | undefined;
  return {
    mount: createContextMount({
      protect,
      scopeOfTool: new Map(tools.map(({ name, scope }) => [name, scope])),
      scopesOfEvent: useCases.events?.scopesOf ?? (async () => []),
      suggestedScope: [
        ...suggestedScope.filter((scope) => scopes.has(scope)),
        ...(useCases.events ? [eventScope] : []),
      ],
      limiter: createRateLimiter({ database, clock, name: 'context-messages', perMinute }),
      async serve(request, asked) {
        return (await open()).serve(request, asked);
      },
      signal: ending.signal,
      clock,
    }),
    async close() {
      ending.abort();
      await (await protocol)?.close();
    },
  };

  /** Opens once for all who wait. After a failure, such as a lost database, the next request tries again. */
  function open(): Promise<Protocol> {
    protocol ??= onBehalfOfAll(loadProtocol).catch((error: unknown) => {
      protocol = undefined;
      throw error;
    });
    return protocol;
  }

  /** Loaded on demand: a server without MCP requests need not hold the library's megabytes (H7). */
  async function loadProtocol(): Promise<Protocol> {
    const [{ openProtocol }, { createProtocolServer }] = await Promise.all([
      import('./open-protocol.ts'),
      import('./create-protocol-server.ts'),
    ]);
    const pairs = useCases.pairs && boundWatches(useCases.pairs);
    const onError = (error: unknown) => logger.error({ err: error }, 'context call failed');
    return openProtocol({
      createServer: (keepPairs, listeners) =>
        createProtocolServer({
          ...{ tools, pairs, callerOf, version, keepPairs, onError },
          ...{ events: useCases.events, connectionOf, listeners },
        }),
      pairs,
      database,
      onFailure: (error) => logger.error({ err: error }, 'session not written'),
      onRefusal: (error) => logger.debug({ err: error }, 'context request refused'),
      clock,
      random,
    });
  }
}
