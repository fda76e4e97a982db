import type { Database } from '../../../kernel/database/database.ts';
import { rememberAnswer } from '../../../kernel/memory/remember-answers.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { authorizationLimits } from '../../limits.ts';
import { countSpentIds, spendId } from '../store/spent-id-store.ts';

/** Uses up an id that works once, and returns whether this was the first use. */
export type SpendId = (id: string, expiresAt: number) => Promise<boolean>;

/** Ids are counted at most once in this many milliseconds. */
const countLasts = 60_000;

/**
 * Remembers the ids of DPoP proofs and client assertions until these expire. No id is forgotten earlier, because it
 * could then be used again: at the bound, further ids are refused with `temporarily_unavailable` (N5). A count is used
 * for a minute, so ids spent within it can exceed the bound a little.
 */
export function createSpendId(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly most?: number;
}): SpendId {
  const { database, clock, most = authorizationLimits.spentIds.value } = options;
  const counted = rememberAnswer({
    keptFor: countLasts,
    clock,
    ask: () => countSpentIds(database),
  });
  return async (id, expiresAt) => {
    if ((await counted.get()) < most) return spendId(database, id, expiresAt);
    throw new AuthorizationError(
      'temporarily_unavailable',
      `${most} proofs and assertions were used here within the last minutes, which is the limit: try again in a few minutes.`,
    );
  };
}
