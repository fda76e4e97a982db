import { contextLimits } from '../limits.ts';
import type { HeldSession } from './hold-session.ts';

/** What a person's agents and their subagents have open at a time; the least recently used one is ended. */
export const mostPerCaller = contextLimits.sessionsOfCaller.value;
/** Some 100 KB each with their last events. Clients that act for themselves cannot take the places of people. */
const mostSessions = contextLimits.sessions.value;

type Owned = Pick<HeldSession, 'owner' | 'isPerson'>;

/**
 * Which sessions to end for a new one of this owner, and whether there is room then: only those of the same owner
 * are ended (F15). `sessions` are in the order of their last use.
 */
export function chooseOver<Session extends Owned>(
  sessions: readonly Session[],
  { owner, isPerson }: Owned,
): { readonly over: readonly Session[]; readonly isRoom: boolean } {
  const alike = sessions.filter((session) => session.isPerson === isPerson);
  const own = alike.filter((session) => session.owner === owner);
  // The store keeps as many of a caller as one process does, so what is over here is over there as well.
  const tooMany = Math.max(own.length - mostPerCaller + 1, alike.length - mostSessions + 1, 0);
  return { over: own.slice(0, tooMany), isRoom: tooMany <= own.length };
}
