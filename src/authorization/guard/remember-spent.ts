import type { Clock } from '../../kernel/time/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';
import type { SpendId } from '../protocol/create-proof-check.ts';

const most = authorizationLimits.spentIdsOfGuard.value;
const mostOfCaller = authorizationLimits.spentIdsOfCallerOfGuard.value;

/**
 * Remembers in memory which ids were used, until they expire. None is forgotten earlier, as its proof could then be used
 * again: throws `temporarily_unavailable` for a caller beyond its share, and for all when the memory is full.
 */
export function rememberSpent(clock: Clock): SpendId {
  const spent = new Map<string, { readonly until: number; readonly caller: string }>();
  const ofCaller = new Map<string, number>();

  function forgetExpired(): void {
    for (const [oldest, { until, caller }] of spent) {
      if (until > clock.now()) break;
      spent.delete(oldest);
      const left = (ofCaller.get(caller) ?? 1) - 1;
      if (left === 0) ofCaller.delete(caller);
      else ofCaller.set(caller, left);
    }
  }

  return async (id, until, caller) => {
    forgetExpired();
    if (spent.has(id)) return false;
    const held = ofCaller.get(caller) ?? 0;
    if (held >= mostOfCaller) throw tooMany(mostOfCaller, 'you');
    if (spent.size >= most) throw tooMany(most, 'all callers');
    spent.set(id, { until, caller });
    ofCaller.set(caller, held + 1);
    return true;
  };
}

function tooMany(limit: number, who: string): AuthorizationError {
  return new AuthorizationError(
    'temporarily_unavailable',
    `${limit} proofs of ${who} are remembered here, which is the limit: send fewer, and try again in a minute.`,
  );
}
