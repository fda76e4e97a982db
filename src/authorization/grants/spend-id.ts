import type { Database } from '../../kernel/database/database.ts';
import { createRateLimiter } from '../../kernel/edge/rate-limiter.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { rememberAnswer } from '../../kernel/wait/remembered.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';
import type { SpendId } from '../protocol/dpop-proof.ts';
import { countSpentIds, spendId } from '../store/code-store.ts';

/** Ids are counted at most once in this many milliseconds. */
const countLasts = 60_000;

/**
 * Remembers the ids of DPoP proofs and client assertions until these expire. No id is forgotten earlier, because it
 * could then be used again: beyond the share of its caller (N23), and at the bound for all (N5), an id is refused with
 * `temporarily_unavailable`. What this process has spent since the last count counts too.
 */
export function createSpendId(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly most?: number;
  readonly mostOfCaller?: number;
}): SpendId {
  const { database, clock, most = authorizationLimits.spentIds.value } = options;
  const { mostOfCaller = authorizationLimits.spentIdsOfCaller.value } = options;
  const shares = createRateLimiter({ database, clock, name: 'spent-ids', perMinute: mostOfCaller });
  let since = 0;
  const counted = rememberAnswer({
    keptFor: countLasts,
    clock,
    async ask() {
      since = 0;
      return countSpentIds(database);
    },
  });
  return async (id, expiresAt, caller) => {
    const { isAllowed, retryAfterSeconds } = await shares.take(caller);
    if (!isAllowed) {
      throw new AuthorizationError(
        'temporarily_unavailable',
        `More than ${mostOfCaller} proofs and assertions of yours in a minute, which is the limit for each caller: try again in ${retryAfterSeconds} s.`,
      );
    }
    if ((await counted.get()) + since >= most) {
      throw new AuthorizationError(
        'temporarily_unavailable',
        `${most} proofs and assertions were used here within the last minutes, which is the limit: try again in a few minutes.`,
      );
    }
    const isFirst = await spendId(database, id, expiresAt);
    if (isFirst) since += 1;
    return isFirst;
  };
}
