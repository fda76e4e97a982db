import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { onAbort } from '../../kernel/cancel/on-abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import { drawText } from '../../kernel/draw-text.ts';
import type { Random } from '../../kernel/random.ts';
import { type ContextCaller, callerKey, toAuthInfo } from '../caller.ts';
import type { ContextRequest } from '../context-request.ts';
import { contextLimits } from '../limits.ts';
import { refuseMessage } from '../refuse-message.ts';
import { createEventLog } from './event-log.ts';

/** The sessions of revisions before 2026-07-28, in which a client begins with `initialize`. */
export type Sessions = {
  /** Answers a request of the caller. `body` is the JSON of a POST; `signal` ends a stream that waits for news. */
  serve(request: Request, options: ContextRequest): Promise<Response>;
  close(): Promise<void>;
};

export type SessionsOptions = {
  createServer(): McpServer;
  readonly clock: Clock;
  readonly random: Random;
};

type Session = {
  readonly owner: string;
  readonly isPerson: boolean;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  /** No longer waits for the token of its last request to be revoked. */
  letGo: () => void;
};

// What a person's agents and their subagents have open at a time; the one unused for longest gives way.
const mostPerCaller = contextLimits.sessionsOfCaller.value;
// Some 100 KB each with their last events. Clients that act for themselves cannot take the places of people.
const mostSessions = contextLimits.sessions.value;
/** How long a session is kept of which nothing is heard; streams are begun anew more often. */
const idleMs = 30 * 60_000;

/**
 * Keeps sessions in memory, each for the caller that began it alone: to anyone else it does not
 * exist, so that a session id found somewhere is worth nothing. It ends with the token of its last
 * request, where that is revoked. A session that is gone is answered 404, upon which clients begin a
 * new one.
 */
export function createSessions(options: SessionsOptions): Sessions {
  const { createServer, clock, random } = options;
  // In the order of their last use.
  const sessions = new Map<string, Session>();

  async function end(id: string, session: Session): Promise<void> {
    sessions.delete(id);
    await session.transport.close();
  }

  function find(id: string, caller: ContextCaller): Session | undefined {
    const session = sessions.get(id);
    if (session?.owner !== callerKey(caller)) return undefined;
    keep(id, session, caller);
    return sessions.get(id);
  }

  /** As the one used last, until the token is revoked that it was used with. */
  function keep(id: string, session: Session, { onRevoked }: ContextCaller): void {
    session.usedAt = clock.now();
    sessions.delete(id);
    sessions.set(id, session);
    session.letGo();
    session.letGo = onRevoked?.(() => void end(id, session)) ?? (() => {});
  }

  /**
   * Ends what is idle, and what the caller has too many of. Answers whether there is a place: nobody's
   * session gives way to that of another (F15).
   */
  async function makeRoom(owner: string, isPerson: boolean): Promise<boolean> {
    const isIdle = ({ usedAt }: Session) => clock.now() - usedAt > idleMs;
    for (const [id, session] of sessions) if (isIdle(session)) await end(id, session);
    const alike = [...sessions].filter(([, session]) => session.isPerson === isPerson);
    const own = alike.filter(([, session]) => session.owner === owner);
    const tooMany = Math.max(own.length - mostPerCaller + 1, alike.length - mostSessions + 1, 0);
    for (const [id, session] of own.slice(0, tooMany)) await end(id, session);
    return tooMany <= own.length;
  }

  async function begin(caller: ContextCaller): Promise<Session | undefined> {
    const owner = callerKey(caller);
    const { isPerson } = caller;
    if (!(await makeRoom(owner, isPerson))) return undefined;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => drawText(random, 24),
      eventStore: createEventLog(),
      onsessioninitialized: (id) => keep(id, session, caller),
    });
    const session: Session = { owner, isPerson, transport, usedAt: clock.now(), letGo: () => {} };
    transport.onclose = () => {
      sessions.delete(transport.sessionId ?? '');
      session.letGo();
    };
    await createServer().connect(transport);
    return session;
  }

  return {
    async serve(request, { caller, body, signal }) {
      const id = request.headers.get('mcp-session-id');
      const isBeginning = id === null && isInitializeRequest(body);
      if (id === null && !isBeginning) return sessionMissing();
      const session = id === null ? await begin(caller) : find(id, caller);
      if (session === undefined) return isBeginning ? noPlace() : sessionUnknown();
      const { transport } = session;
      const authInfo = toAuthInfo(caller);
      const response = await transport.handleRequest(request, { parsedBody: body, authInfo });
      // One that was refused must not end the stream that is there.
      if (request.method === 'GET' && response.ok) {
        onAbort(signal, () => transport.closeStandaloneSSEStream());
      }
      return response;
    },
    async close() {
      for (const [id, session] of sessions) await end(id, session);
    },
  };
}

function noPlace(): Response {
  const message =
    'As many sessions as this server holds are open: try again later, or speak revision 2026-07-28, which needs none.';
  return refuseMessage({ status: 503, code: -32_000, message });
}

function sessionUnknown(): Response {
  const message = 'This session does not exist (any more): begin a new one with initialize.';
  return refuseMessage({ status: 404, code: -32_001, message });
}

function sessionMissing(): Response {
  const message =
    'Mcp-Session-Id is missing: begin with initialize and send the id that its answer brings, or speak revision 2026-07-28, which needs none.';
  return refuseMessage({ status: 400, code: -32_000, message });
}
