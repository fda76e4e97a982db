import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { findMost, isUnfair } from '../../kernel/wait/shares.ts';
import { accountKey, type ContextCaller, callerKey } from '../caller.ts';
import { contextLimits } from '../limits.ts';
import { deleteSession, touchEveryMs, touchSession } from '../store/session-store.ts';
import type { HeldSession } from './hold-session.ts';

/** The sessions that this process holds, in the order of their last use. */
export type KeptSessions = {
  get(id: string): HeldSession | undefined;
  /** The session with this id; one that was idle for too long is dropped instead. */
  findFresh(id: string): Promise<HeldSession | undefined>;
  all(): readonly HeldSession[];
  /** Keeps the session as the last used one, until the token of this use is revoked. */
  keep(session: HeldSession, caller: ContextCaller): void;
  /** Removes a closed session from the list. */
  forget(session: HeldSession): void;
  /** Ends it everywhere. */
  end(session: HeldSession): Promise<void>;
  /** Whether its end is being written. */
  isEnding(id: string): boolean;
  isIdle(usedAt: number): boolean;
  /**
   * Drops idle sessions, and ends surplus ones, see {@link chooseOver}. Returns whether there is room: an owner with
   * few sessions loses none to another caller (F15).
   */
  makeRoom(caller: ContextCaller): Promise<boolean>;
};

export type KeptSessionsOptions = {
  readonly database: Database;
  /** This process. */
  readonly process: string;
  readonly clock: Clock;
  /** Called for failed writes. */
  readonly onFailure: (error: unknown) => void;
};

/** How long an unused session is kept; streams are opened again more often than that. */
export const idleMs = 30 * 60_000;

export function createKeptSessions(options: KeptSessionsOptions): KeptSessions {
  const { database, process, clock, onFailure } = options;
  const held = new Map<string, HeldSession>();
  const ending = new Set<string>();
  const isIdle = (usedAt: number) => clock.now() - usedAt > idleMs;

  async function end(session: HeldSession): Promise<void> {
    ending.add(session.id);
    await drop(session);
    await deleteSession(database, session.id, process).catch(onFailure);
    ending.delete(session.id);
  }

  /** Writes a use to the store, unless it did so lately. A session that has ended elsewhere ends here too. */
  async function touch(session: HeldSession): Promise<void> {
    if (session.usedAt - session.writtenAt < touchEveryMs) return;
    session.writtenAt = session.usedAt;
    if (!(await touchSession(database, session.id, session.usedAt))) await drop(session);
  }

  return {
    get: (id) => held.get(id),
    async findFresh(id) {
      const session = held.get(id);
      if (session === undefined || !isIdle(session.usedAt)) return session;
      await drop(session);
      return undefined;
    },
    all: () => [...held.values()],
    keep(session, { onRevoked }) {
      session.usedAt = clock.now();
      held.delete(session.id);
      held.set(session.id, session);
      session.letGo();
      // The revocation of the token need not wait for this.
      session.letGo = onRevoked?.(() => void onBehalfOfAll(() => end(session))) ?? (() => {});
      touch(session).catch(onFailure);
    },
    forget(session) {
      held.delete(session.id);
      session.letGo();
      for (const stream of session.resumed.values()) stream.end();
    },
    end,
    isEnding: (id) => ending.has(id),
    isIdle,
    async makeRoom(caller) {
      for (const session of held.values()) if (isIdle(session.usedAt)) await drop(session);
      const { isPerson } = caller;
      const { over, isRoom } = chooseOver([...held.values()], {
        owner: callerKey(caller),
        account: accountKey(caller),
        isPerson,
      });
      for (const session of over) await end(session);
      return isRoom;
    },
  };
}

/** Drops it in this process; it may go on elsewhere. */
export async function drop(session: HeldSession): Promise<void> {
  await session.transport.close();
}

/** What a person's agents and their subagents have open at a time; the least recently used one is ended. */
export const mostPerCaller = contextLimits.sessionsOfCaller.value;
const mostPerAccount = contextLimits.sessionsOfAccount.value;
/** Some 100 KB each with their last events. Clients that act for themselves cannot take the places of people. */
const mostSessions = contextLimits.sessions.value;

type Owned = Pick<HeldSession, 'owner' | 'account' | 'isPerson'>;

/**
 * Returns which sessions to end for a new one of this owner, and whether there is room then. `sessions` are in the
 * order of their last use.
 *
 * An owner and an account have a share each. If all places are taken, the account with the most sessions makes room for one that
 * has fewer by two, so that no number of clients or accounts that hold several keeps out a newcomer (F43). Nobody loses a
 * session to an account that would then have more: one with few loses none to one with many (F15), and two with many do not
 * evict each other in turn.
 */
export function chooseOver<Session extends Owned>(
  sessions: readonly Session[],
  { owner, account, isPerson }: Owned,
): { readonly over: readonly Session[]; readonly isRoom: boolean } {
  const over: Session[] = [];
  let left = sessions.filter((session) => session.isPerson === isPerson);
  const end = (session: Session) => {
    over.push(session);
    left = left.filter((one) => one !== session);
  };
  // The store keeps as many sessions of a caller as one process does, so a surplus one here is surplus there too.
  const own = left.filter((session) => session.owner === owner);
  for (const session of own.slice(0, Math.max(own.length - mostPerCaller + 1, 0))) end(session);
  const ofAccount = () => left.filter((session) => session.account === account);
  while (ofAccount().length >= mostPerAccount) end(idlestOf(ofAccount()));
  while (left.length >= mostSessions) {
    const own = ofAccount();
    const byAccount = Map.groupBy(left, (session) => session.account);
    const most = findMost(new Map([...byAccount].map(([key, some]) => [key, new Set(some)])));
    if (most !== undefined && isUnfair(most[1].size, own.length)) end(idlestOf([...most[1]]));
    else if (own.length > 0) end(idlestOf(own));
    else return { over: [], isRoom: false };
  }
  return { over, isRoom: true };
}

/** The least recently used session of the owner with the most. There is one. */
function idlestOf<Session extends Owned>(sessions: readonly Session[]): Session {
  const byOwner = Map.groupBy(sessions, (session) => session.owner);
  const [first = []] = [...byOwner.values()].sort((one, other) => other.length - one.length);
  return first[0] as Session;
}
