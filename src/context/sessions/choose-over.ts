import { contextLimits } from '../limits.ts';
import type { HeldSession } from './hold-session.ts';

/** What a person's agents and their subagents have open at a time; the least recently used one is ended. */
export const mostPerCaller = contextLimits.sessionsOfCaller.value;
/** Some 100 KB each with their last events. Clients that act for themselves cannot take the places of people. */
const mostSessions = contextLimits.sessions.value;
/** An owner with so few sessions loses none to others. */
const keptPerCaller = contextLimits.sessionsKept.value;

type Owned = Pick<HeldSession, 'owner' | 'isPerson'>;

/**
 * Returns which sessions to end for a new one of this owner, and whether there is room then. `sessions` are in the
 * order of their last use.
 *
 * If all places are taken, the owner with the most sessions makes room, so that a few owners cannot keep everybody out.
 * An owner with few sessions loses none (F15). Neither does one who would then have fewer than the newcomer: two owners
 * with many do not evict each other in turn.
 */
export function chooseOver<Session extends Owned>(
  sessions: readonly Session[],
  { owner, isPerson }: Owned,
): { readonly over: readonly Session[]; readonly isRoom: boolean } {
  const alike = sessions.filter((session) => session.isPerson === isPerson);
  const own = alike.filter((session) => session.owner === owner);
  // The store keeps as many sessions of a caller as one process does, so a surplus one here is surplus there too.
  const over = own.slice(0, Math.max(own.length - mostPerCaller + 1, 0));
  let left = alike.filter((session) => !over.includes(session));
  while (left.length >= mostSessions) {
    const next = chooseNext(left, owner);
    if (next === undefined) return { over: [], isRoom: false };
    over.push(next);
    left = left.filter((session) => session !== next);
  }
  return { over, isRoom: true };
}

/** The least recently used session of the owner with the most, or else of this owner. */
function chooseNext<Session extends Owned>(
  sessions: readonly Session[],
  owner: string,
): Session | undefined {
  const byOwner = Map.groupBy(sessions, (session) => session.owner);
  const own = byOwner.get(owner) ?? [];
  const most = [...byOwner.values()].reduce((one, other) =>
    other.length > one.length ? other : one,
  );
  const isUnfair = most.length > keptPerCaller && most.length > own.length + 1;
  return isUnfair ? most[0] : own[0];
}
