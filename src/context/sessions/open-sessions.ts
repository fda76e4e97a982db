import { isInitializeRequest, type McpServer } from '@modelcontextprotocol/server';
import type { Database } from '../../kernel/database/database.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { boundTurns, type InTurn } from '../../kernel/wait/turns.ts';
import { accountKey, type ContextCaller, type ContextRequest, callerKey } from '../caller.ts';
import { refuseMessage } from '../context-error.ts';
import type { KeepPairs } from '../create-protocol-server.ts';
import type { ListenerAdmission } from '../http/admit-listeners.ts';
import {
  findSession,
  insertMessage,
  insertSession,
  listenForSessions,
  type SessionNotice,
  sendSessionNotice,
} from '../store/session-store.ts';
import { answerInSession, cancelCall } from './answer-in-session.ts';
import { catchUp, type HeldSession, holdSession } from './hold-session.ts';
import {
  createKeptSessions,
  drop,
  idleMs,
  type KeptSessions,
  type KeptSessionsOptions,
  mostPerCaller,
} from './kept-sessions.ts';

/** The sessions of revisions before 2026-07-28, in which a client begins with `initialize`. */
type Sessions = {
  /** Answers a request of the caller. `body` is the JSON of a POST; `signal` ends a stream that waits for notifications. */
  serve(request: Request, options: ContextRequest): Promise<Response>;
  /** Ends what goes on in this process. */
  close(): Promise<void>;
};

type SessionsOptions = {
  createServer(keepPairs?: KeepPairs): McpServer;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Counts the streams that are resumed here and were begun elsewhere. */
  readonly listeners: ListenerAdmission;
  /** Called for failed writes. */
  readonly onFailure: (error: unknown) => void;
};

/** The session of a caller that this process is about to hold; undefined if it turns out not to be theirs. */
type TakingUp = {
  readonly id: string;
  readonly owner: string;
  readonly session: Promise<HeldSession | undefined>;
};

/**
 * Keeps sessions in the store. A session exists only for the caller that began it, so a session id found somewhere is
 * worth nothing. Whichever process a request reaches takes the session up and holds it in memory (T11). A session ends
 * if the token of the last request that a process had for it is revoked. A request to a session that is gone gets 404,
 * upon which clients begin a new one.
 */
export async function openSessions(options: SessionsOptions): Promise<Sessions> {
  const { database, random, clock, onFailure } = options;
  const process = drawText(random, 9);
  const kept = createKeptSessions({ ...options, process });
  const parts = { ...options, process, kept, inTurn: boundTurns(clock) };
  const takingUp = new Set<TakingUp>();
  const unlisten = await listenForSessions(database, process, hear);

  /** Takes the session up once, however many requests of the caller wait for it. */
  function takeUp(id: string, caller: ContextCaller, url: string) {
    const owner = callerKey(caller);
    const known = [...takingUp].find((one) => one.id === id && one.owner === owner);
    if (known !== undefined) return known.session;
    const session = onBehalfOfAll(() => takeUpSession(parts, { id, caller, url }));
    const taking = { id, owner, session: session.finally(() => takingUp.delete(taking)) };
    takingUp.add(taking);
    return taking.session;
  }

  /** The session of this id, if it is the caller's. */
  async function find(id: string, caller: ContextCaller, url: string) {
    const session = (await kept.findFresh(id)) ?? (await takeUp(id, caller, url));
    if (session?.owner !== callerKey(caller)) return undefined;
    kept.keep(session, caller);
    return kept.get(id);
  }

  /** A notification of another process, or nothing if some may have been lost. */
  function hear(notice?: SessionNotice): void {
    // Each is taken up again by its next request, if it is still there.
    if (notice === undefined) for (const session of kept.all()) void drop(session);
    else heed(notice).catch(onFailure);
  }

  async function findTakingUp(id: string): Promise<HeldSession | undefined> {
    const sessions = [...takingUp].filter((one) => one.id === id).map(({ session }) => session);
    return (await Promise.all(sessions)).find((session) => session !== undefined);
  }

  async function heed(notice: SessionNotice): Promise<void> {
    const session = kept.get(notice.id) ?? (await findTakingUp(notice.id));
    if (session !== undefined) await heedNotice(session, notice, { process, database, onFailure });
  }

  return {
    async serve(request, asked) {
      const { caller, body } = asked;
      const id = request.headers.get('mcp-session-id');
      if (id !== null) {
        const session = await find(id, caller, request.url);
        return session ? answerInSession(session, { request, ...asked }, parts) : sessionUnknown();
      }
      if (!isInitializeRequest(body)) return sessionMissing();
      const session = await beginSession(parts, caller, body.params.protocolVersion);
      return session ? answerInSession(session, { request, ...asked }, parts) : noPlace();
    },
    async close() {
      await unlisten();
      for (const session of kept.all()) await drop(session);
    },
  };
}

function noPlace(): Response {
  const message =
    'This server has reached its limit of sessions: try again later, or use revision 2026-07-28, which needs no session.';
  return refuseMessage({ status: 503, code: -32_000, message });
}

function sessionUnknown(): Response {
  const message = 'This session does not exist (any more): begin a new one with initialize.';
  return refuseMessage({ status: 404, code: -32_001, message });
}

function sessionMissing(): Response {
  const message =
    'Mcp-Session-Id is missing: begin with initialize and send the id from its answer, or use revision 2026-07-28, which needs no session.';
  return refuseMessage({ status: 400, code: -32_000, message });
}

type StartOptions = KeptSessionsOptions & {
  createServer(keepPairs?: KeepPairs): McpServer;
  readonly random: Random;
  readonly kept: KeptSessions;
  readonly inTurn: InTurn;
};

/** Begins a session for the caller; undefined if there is no room. It is stored once `initialize` is accepted. */
async function beginSession(
  options: StartOptions,
  caller: ContextCaller,
  revision: string,
): Promise<HeldSession | undefined> {
  const { database, process: from, clock, random, kept } = options;
  if (!(await kept.makeRoom(caller))) return undefined;
  const id = drawText(random, 24);
  const usedAt = clock.now();
  const record = { id, owner: callerKey(caller), revision, usedAt };
  const limits = { idleSince: usedAt - idleMs, most: mostPerCaller, from };
  return hold(options, { id, caller, onBegun: () => insertSession(database, record, limits) });
}

/**
 * Takes up a session that another process began, or that this one dropped; undefined if it is not the caller's, has
 * ended, or there is no room. `url` is that of the request.
 */
async function takeUpSession(
  options: StartOptions,
  { id, caller, url }: { id: string; caller: ContextCaller; url: string },
): Promise<HeldSession | undefined> {
  const { database, kept } = options;
  const record = await findSession(database, id);
  if (record?.owner !== callerKey(caller) || kept.isIdle(record.usedAt)) return undefined;
  if (kept.isEnding(id) || !(await kept.makeRoom(caller))) return undefined;
  const session = await hold(options, { id, caller });
  await catchUp(session, { revision: record.revision, url });
  return session;
}

function hold(
  { createServer, database, process, clock, inTurn, kept }: StartOptions,
  begun: { id: string; caller: ContextCaller; onBegun?: () => Promise<void> },
): Promise<HeldSession> {
  const { id, caller, onBegun } = begun;
  return holdSession({
    ...{ id, owner: callerKey(caller), account: accountKey(caller), isPerson: caller.isPerson },
    ...{ createServer, database, process, clock, inTurn },
    async onBegun(session) {
      await onBegun?.();
      kept.keep(session, caller);
    },
    onDeleted: (session) => kept.end(session),
    onClose: (session) => kept.forget(session),
  });
}

type HeedOptions = {
  /** This process. */
  readonly process: string;
  readonly database: Database;
  readonly onFailure: (error: unknown) => void;
};

/** Applies in this process what another one notifies about a session that both hold. */
async function heedNotice(
  session: HeldSession,
  notice: SessionNotice,
  { process, database, onFailure }: HeedOptions,
): Promise<void> {
  const { id, transport, pairs, log } = session;
  switch (notice.kind) {
    case 'ended':
      await transport.close();
      break;
    case 'watches':
      if (session.streams > 0) await pairs?.follow();
      break;
    case 'stream':
      // The client now listens at the other process: each message goes to one stream of a session.
      transport.closeStandaloneSSEStream();
      break;
    case 'cancelled':
      cancelCall(session, notice.params);
      break;
    case 'resumed': {
      const { to, from, streamId } = notice;
      if (to !== process) break;
      const isKnown = log.follow(streamId, (message) => {
        insertMessage(database, { sessionId: id, streamId }, message).catch(onFailure);
      });
      const answer = { kind: 'following', id, from: process, to: from, streamId, isKnown } as const;
      await sendSessionNotice(database, answer);
      break;
    }
    case 'following':
      if (notice.to === process) session.resumed.get(notice.streamId)?.hear(notice.isKnown);
  }
}
