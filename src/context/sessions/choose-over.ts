import { findMost, isUnfair } from '../../kernel/limits/share-places.ts';
import { contextLimits } from '../limits.ts';
import type { HeldSession } from './hold-session.ts';

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
