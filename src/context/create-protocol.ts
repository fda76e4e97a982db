import { isLegacyRequest, type McpServer } from '@modelcontextprotocol/server';
import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { ContextRequest } from './context-request.ts';
import { createModernRequests } from './http/create-modern-requests.ts';
import { createSessions } from './sessions/create-sessions.ts';
import type { PairUseCases } from './use-cases.ts';

export type ProtocolOptions = {
  /** For one session, or one request that stands alone. */
  createServer(): McpServer;
  /** What can be listened to, if anything. */
  readonly pairs?: PairUseCases | undefined;
  /** Told of what clients do wrong. */
  readonly onRefusal: (error: Error) => void;
  readonly clock: Clock;
  readonly random: Random;
};

/** Speaks the protocol with callers who were let in. `close` ends every session. */
export type Protocol = {
  serve(request: Request, options: ContextRequest): Promise<Response>;
  close(): Promise<void>;
};

/** Serves each request in the revision that it speaks: by itself since 2026-07-28, before that in a session. */
export function createProtocol(options: ProtocolOptions): Protocol {
  const { createServer, pairs, onRefusal, clock, random } = options;
  const sessions = createSessions({ createServer, clock, random });
  const modern = createModernRequests({ createServer, pairs, onRefusal });
  return {
    async serve(request, asked) {
      const isLegacy = await isLegacyRequest(request, asked.body);
      return (isLegacy ? sessions : modern).serve(request, asked);
    },
    close: () => sessions.close(),
  };
}
