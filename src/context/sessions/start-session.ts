import type { McpServer } from '@modelcontextprotocol/server';
import { drawText } from '../../kernel/random/draw-text.ts';
import type { Random } from '../../kernel/random/random.ts';
import type { InTurn } from '../../kernel/time/bound-turns.ts';
import { accountKey, type ContextCaller, callerKey } from '../caller.ts';
import type { KeepPairs } from '../create-protocol-server.ts';
import { findSession, insertSession } from '../store/session-store.ts';
import { mostPerCaller } from './choose-over.ts';
import { catchUp, type HeldSession, holdSession } from './hold-session.ts';
import { idleMs, type KeptSessions, type KeptSessionsOptions } from './kept-sessions.ts';

export type StartOptions = KeptSessionsOptions & {
  createServer(keepPairs?: KeepPairs): McpServer;
  readonly random: Random;
  readonly kept: KeptSessions;
  readonly inTurn: InTurn;
};

/** Begins a session for the caller; undefined if there is no room. It is stored once `initialize` is accepted. */
export async function beginSession(
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
export async function takeUpSession(
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
