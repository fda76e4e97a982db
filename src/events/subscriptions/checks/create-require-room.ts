import type { Database } from '../../../kernel/database/database.ts';
import { rememberAnswer } from '../../../kernel/remember-answers.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { EventsError } from '../../errors/events-error.ts';
import { eventsLimits } from '../../limits.ts';
import { countSubscriptions } from '../../store/subscription-store.ts';
import type { RequireRoom } from '../subscription-context.ts';

/** All are counted at most once in so many milliseconds: counting a million takes a while. */
const countLasts = 60_000;

/** What is created at the same moment is not counted: a few more than the bound may come to be. */
export function createRequireRoom(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly mostOfPrincipal?: number;
  readonly mostOfAll?: number;
}): RequireRoom {
  const { database, clock } = options;
  const { mostOfPrincipal = eventsLimits.subscriptionsOfPrincipal.value } = options;
  const { mostOfAll = eventsLimits.subscriptions.value } = options;
  const counted = rememberAnswer({
    keptFor: countLasts,
    clock,
    ask: () => countSubscriptions(database),
  });

  return async (principal) => {
    if ((await countSubscriptions(database, principal)) >= mostOfPrincipal)
      throw tooMany('you', mostOfPrincipal);
    if ((await counted.get()) >= mostOfAll) throw tooMany('all together', mostOfAll);
  };
}

function tooMany(whose: string, most: number): EventsError {
  const limit = String(most);
  return new EventsError(
    'RESOURCE_EXHAUSTED',
    `There are ${limit} subscriptions, the most that ${whose} may have: delete those that nobody needs.`,
    { reason: 'TOO_MANY_SUBSCRIPTIONS', metadata: { limit, whose }, retryAfterSeconds: 60 },
  );
}
