import { isLegacyRequest, type McpServer } from '@modelcontextprotocol/server';
import type { Database } from '../kernel/database/database.ts';
import type { Random } from '../kernel/random/random.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { ContextRequest } from './context-request.ts';
import type { KeepPairs } from './create-protocol-server.ts';
import { admitListeners } from './http/admit-listeners.ts';
import { createModernRequests } from './http/create-modern-requests.ts';
import { openSessions } from './sessions/open-sessions.ts';
import type { PairUseCases } from './use-cases.ts';

export type ProtocolOptions = {
  /** For one session, or one request that stands alone. */
  createServer(keepPairs?: KeepPairs): McpServer;
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
  const { createServer, pairs, onRefusal } = options;
  const listeners = admitListeners();
  const sessions = await openSessions({ ...options, listeners });
  const modern = createModernRequests({ createServer, pairs, listeners, onRefusal });
  return {
    async serve(request, asked) {
      const isLegacy = await isLegacyRequest(request, asked.body);
      return (isLegacy ? sessions : modern).serve(request, asked);
    },
    close: () => sessions.close(),
  };
}
