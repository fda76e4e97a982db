import { isInitializeRequest, type McpServer } from '@modelcontextprotocol/server';
import { onAbort } from '../../kernel/cancel/on-abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { drawText } from '../../kernel/draw-text.ts';
import type { Random } from '../../kernel/random.ts';
import { type ContextCaller, callerKey, toAuthInfo } from '../caller.ts';
import type { ContextRequest } from '../context-request.ts';
import type { KeepPairs } from '../create-protocol-server.ts';
import { onStreamEnd } from '../http/on-stream-end.ts';
import { contextLimits } from '../limits.ts';
import { refuseMessage } from '../refuse-message.ts';
import { createSessionStore, type SessionNotice, touchEveryMs } from '../store/session-store.ts';
import { type EventPlace, newsStream, parseEventId } from './event-log.ts';
import { heedNotice } from './heed-notice.ts';
import { type HeldSession, holdSession, takeUp } from './hold-session.ts';
import { repeatAnswer } from './repeat-answer.ts';

/** The sessions of revisions before 2026-07-28, in which a client begins with `initialize`. */
export type Sessions = {
  /** Answers a request of the caller. `body` is the JSON of a POST; `signal` ends a stream that waits for news. */
  serve(request: Request, options: ContextRequest): Promise<Response>;
  /** Ends what goes on in this process. */
  close(): Promise<void>;
};

export type SessionsOptions = {
  createServer(keepPairs?: KeepPairs): McpServer;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of what could not be written. */
  readonly onFailure: (error: unknown) => void;
};

// What a person's agents and their subagents have open at a time; the one unused for longest gives way.
const mostPerCaller = contextLimits.sessionsOfCaller.value;
// Some 100 KB each with their last events. Clients that act for themselves cannot take the places of people.
const mostSessions = contextLimits.sessions.value;
/** How long a session is kept of which nothing is heard; streams are begun anew more often. */
const idleMs = 30 * 60_000;

/**
 * Keeps sessions in the store, each for the caller that began it alone: to anyone else it does not
 * exist, so that a session id found somewhere is worth nothing. Whichever process a request reaches takes the
 * session up and holds it in memory (T11). It ends with the token of the last request that a process had,
 * where that is revoked. A session that is gone is answered 404, upon which clients begin a new one.
 */
export async function openSessions(options: SessionsOptions): Promise<Sessions> {
  const { createServer, clock, random, onFailure } = options;
  const process = drawText(random, 9);
  const store = createSessionStore(options.database, process);
  // In the order of their last use.
  const held = new Map<string, HeldSession>();
  const takenUp = new Map<string, Promise<HeldSession | undefined>>();
  /** Those whose end is being written. */
  const ending = new Set<string>();
  const unlisten = await store.listen(hear);

  const isIdle = (usedAt: number) => clock.now() - usedAt > idleMs;

  /** Holds it no longer; it goes on elsewhere. */
  async function drop(session: HeldSession): Promise<void> {
    await session.transport.close();
  }

  async function end(session: HeldSession): Promise<void> {
    const { id } = session;
    ending.add(id);
    await drop(session);
    await store.delete(id).catch(onFailure);
    ending.delete(id);
  }

  /** As the one used last, until the token is revoked that it was used with. */
  function keep(session: HeldSession, { onRevoked }: ContextCaller): void {
    const { id } = session;
    const now = clock.now();
    session.usedAt = now;
    held.delete(id);
    held.set(id, session);
    session.letGo();
    session.letGo = onRevoked?.(() => void end(session)) ?? (() => {});
    if (now - session.writtenAt < touchEveryMs) return;
    session.writtenAt = now;
    store
      .touch(id, now)
      .then((isThere) => (isThere ? undefined : drop(session)))
      .catch(onFailure);
  }

  /**
   * Lets go of what is idle, and of what the caller has too many of here. Answers whether there is a place:
   * nobody's session gives way to that of another (F15).
   */
  async function makeRoom(owner: string, isPerson: boolean): Promise<boolean> {
    for (const session of held.values()) if (isIdle(session.usedAt)) await drop(session);
    const alike = [...held.values()].filter((session) => session.isPerson === isPerson);
    const own = alike.filter((session) => session.owner === owner);
    const tooMany = Math.max(own.length - mostPerCaller + 1, alike.length - mostSessions + 1, 0);
    // The store keeps as many of a caller as one process does, so what is over here is over there as well.
    for (const session of own.slice(0, tooMany)) await end(session);
    return tooMany <= own.length;
  }

  function hold(id: string, caller: ContextCaller, onBegun = async () => {}): Promise<HeldSession> {
    const { isPerson } = caller;
    return holdSession({
      ...{ id, owner: callerKey(caller), isPerson, createServer, store, process },
      now: clock.now(),
      async onBegun(session) {
        await onBegun();
        keep(session, caller);
      },
      onDeleted: (session) => end(session),
      onClose(session) {
        held.delete(id);
        session.letGo();
      },
    });
  }

  async function begin(caller: ContextCaller, revision: string): Promise<HeldSession | undefined> {
    const owner = callerKey(caller);
    if (!(await makeRoom(owner, caller.isPerson))) return undefined;
    const id = drawText(random, 24);
    const usedAt = clock.now();
    const limits = { idleSince: usedAt - idleMs, most: mostPerCaller };
    return hold(id, caller, () => store.insert({ id, owner, revision, usedAt }, limits));
  }

  /** The session of this id, if it is the caller's. */
  async function find(id: string, caller: ContextCaller, url: string) {
    let session = held.get(id);
    if (session !== undefined && isIdle(session.usedAt)) {
      await drop(session);
      session = undefined;
    }
    if (session === undefined) {
      const taking = takenUp.get(id) ?? takeUpHere(id, caller, url);
      takenUp.set(id, taking);
      session = await taking.finally(() => takenUp.delete(id));
    }
    if (session?.owner !== callerKey(caller)) return undefined;
    keep(session, caller);
    return held.get(id);
  }

  async function takeUpHere(id: string, caller: ContextCaller, url: string) {
    const owner = callerKey(caller);
    const record = await store.find(id);
    if (record?.owner !== owner || isIdle(record.usedAt) || ending.has(id)) return undefined;
    if (!(await makeRoom(owner, caller.isPerson))) return undefined;
    const session = await hold(id, caller);
    await takeUp(session, { revision: record.revision, url });
    return session;
  }

  /** What another process tells, or nothing where something may have been missed. */
  function hear(notice?: SessionNotice): void {
    if (notice === undefined) {
      // Each is taken up again by its next request, if it is still there.
      for (const session of held.values()) void drop(session);
      return;
    }
    const session = held.get(notice.id) ?? takenUp.get(notice.id);
    Promise.resolve(session)
      .then((here) => here && heedNotice(here, notice, { process, store, onFailure }))
      .catch(onFailure);
  }

  /** Opens a stream of news, or goes on with one. */
  async function listen(
    session: HeldSession,
    { request, signal, last }: { request: Request; signal: AbortSignal; last?: EventPlace },
  ): Promise<Response> {
    const { id, transport, pairs } = session;
    const isOfNews = last === undefined || last.streamId === newsStream;
    if (isOfNews) {
      // What is watched from now on is heard of, see above.
      session.streams += 1;
      await pairs?.follow().catch(onFailure);
      await store.tell({ kind: 'stream', id }).catch(onFailure);
    }
    const response = onStreamEnd(await transport.handleRequest(request), () => {
      if (isOfNews) session.streams -= 1;
    });
    // One that was refused must not end the stream that is there.
    if (response.ok) onAbort(signal, () => transport.closeStandaloneSSEStream());
    return response;
  }

  return {
    async serve(request, { caller, body, signal }) {
      const id = request.headers.get('mcp-session-id');
      if (id === null && !isInitializeRequest(body)) return sessionMissing();
      const session =
        id === null && isInitializeRequest(body)
          ? await begin(caller, body.params.protocolVersion)
          : await find(id ?? '', caller, request.url);
      if (session === undefined) return id === null ? noPlace() : sessionUnknown();
      if (request.method === 'GET') {
        const last = parseEventId(request.headers.get('last-event-id') ?? '');
        return last === undefined || last.process === process || last.streamId === newsStream
          ? listen(session, { request, signal, ...(last && { last }) })
          : repeatAnswer({ sessionId: session.id, last, store, clock, signal });
      }
      const cancelled = cancelledBy(body);
      if (cancelled !== undefined) {
        await store.tell({ kind: 'cancelled', id: session.id, params: cancelled }).catch(onFailure);
      }
      const authInfo = toAuthInfo(caller);
      return session.transport.handleRequest(request, { parsedBody: body, authInfo });
    },
    async close() {
      await unlisten();
      for (const session of held.values()) await drop(session);
    },
  };
}

/** What a message that cancels a call says of it: the call may go on at another process. */
function cancelledBy(body: unknown): unknown {
  const isMessage = typeof body === 'object' && body !== null && 'method' in body;
  if (!isMessage || body.method !== 'notifications/cancelled') return undefined;
  return 'params' in body ? body.params : undefined;
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
