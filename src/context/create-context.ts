import type { Clock } from '../kernel/clock.ts';
import type { Mount } from '../kernel/http/create-edge.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Random } from '../kernel/random.ts';
import { callerOf, type Protect } from './caller.ts';
import { createProtocolServer } from './create-protocol-server.ts';
import { createContextMount } from './http/create-context-mount.ts';
import { createModernRequests } from './http/create-modern-requests.ts';
import { createSessions } from './sessions/create-sessions.ts';
import { createTools } from './tools/create-tools.ts';
import type { ContextUseCases } from './use-cases.ts';

export type ContextOptions = {
  readonly useCases: ContextUseCases;
  readonly protect: Protect;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
};

/** The context endpoint. `close` ends every session and stream, and comes before the listener drains. */
export type Context = {
  readonly mount: Mount;
  close(): Promise<void>;
};

/** Who has no token yet asks for what reads; writing is asked for when it is needed (step-up). */
const suggestedScope = ['swap.read', 'subscriptions.read'];

/** Makes the context endpoint out of its parts. */
export function createContext(options: ContextOptions): Context {
  const { useCases, protect, version, clock, random, logger } = options;
  const ending = new AbortController();
  const onError = (error: unknown) => logger.error({ err: error }, 'context call failed');
  const { pairs } = useCases;
  const tools = createTools(useCases);
  const createServer = () => createProtocolServer({ tools, pairs, callerOf, version, onError });
  const sessions = createSessions({ createServer, clock, random });
  const modern = createModernRequests({
    createServer,
    pairs,
    onRefusal: (error) => logger.debug({ err: error }, 'context request refused'),
  });
  const scopes = new Set(tools.map(({ scope }) => scope));
  return {
    mount: createContextMount({
      protect,
      scopeOfTool: new Map(tools.map(({ name, scope }) => [name, scope])),
      suggestedScope: suggestedScope.filter((scope) => scopes.has(scope)),
      serveSession: sessions.serve,
      serveModern: modern.serve,
      signal: ending.signal,
      clock,
    }),
    async close() {
      ending.abort();
      await sessions.close();
    },
  };
}
