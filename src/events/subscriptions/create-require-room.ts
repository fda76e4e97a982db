import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { rememberAnswer, rememberAnswers } from '../../kernel/wait/remembered.ts';
import { swapTypes } from '../applications/own-event-types.ts';
import { eventsLimits } from '../limits.ts';
import { parsePairTarget } from '../model/application-options.ts';
import { EventsError } from '../model/events-error.ts';
import type { Subscription } from '../model/subscription.ts';
import {
  countPairsOfAccount,
  countPairsOfChain,
  isPairWatched,
} from '../store/price-watch-store.ts';
import { countSubscriptions } from '../store/subscription-store.ts';
import type { RequireRoom } from './subscription-context.ts';

/**
 * How long a count of all subscriptions is cached, in milliseconds: counting a million takes a
 * while.
 */
const countLasts = 60_000;
/** The event types by which subscriptions to pairs are found. */
const eventTypes = [swapTypes.priceMoved, swapTypes.routeChanged];
/** More than a server has chains. */
const mostChains = 100;

/**
 * Subscriptions that are created at the same moment are not counted, so there may be a few more
 * than the bound.
 */
export function createRequireRoom(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly mostOfPrincipal?: number;
  readonly mostOfAll?: number;
  readonly mostPairsOfPrincipal?: number;
  readonly mostPairsOfChain?: number;
}): RequireRoom {
  const { database, clock } = options;
  const { mostOfPrincipal = eventsLimits.subscriptionsOfPrincipal.value } = options;
  const { mostOfAll = eventsLimits.subscriptions.value } = options;
  const { mostPairsOfPrincipal = eventsLimits.pairsOfPrincipal.value } = options;
  const { mostPairsOfChain = eventsLimits.pairsOfChain.value } = options;
  const counted = rememberAnswer({
    keptFor: countLasts,
    clock,
    ask: () => countSubscriptions(database),
  });
  const countedPairs = rememberAnswers<number>({ keptFor: countLasts, most: mostChains, clock });

  async function requireRoomForPair(wanted: Wanted): Promise<void> {
    const pair = parsePairTarget(wanted.targetResource);
    if (pair === undefined) return;
    if ((await countPairsOfAccount(database, wanted)) >= mostPairsOfPrincipal)
      throw tooMany('you', mostPairsOfPrincipal, 'to pairs');
    const { chainId } = pair;
    const countPairs = () => countPairsOfChain(database, chainId, eventTypes);
    const watched = await countedPairs.get(String(chainId), countPairs);
    if (watched >= mostPairsOfChain && !(await isPairWatched(database, wanted, eventTypes)))
      throw tooMany('all together', mostPairsOfChain, `to different pairs of chain ${chainId}`);
  }

  return async (wanted) => {
    if ((await countSubscriptions(database, wanted)) >= mostOfPrincipal)
      throw tooMany('you', mostOfPrincipal);
    if ((await counted.get()) >= mostOfAll) throw tooMany('all together', mostOfAll);
    await requireRoomForPair(wanted);
  };
}

type Wanted = Pick<Subscription, 'principal' | 'userId' | 'targetResource' | 'options'>;

function tooMany(whose: string, most: number, which?: string): EventsError {
  const limit = String(most);
  const counted = which === undefined ? 'subscriptions' : `subscriptions ${which}`;
  return new EventsError(
    'RESOURCE_EXHAUSTED',
    `The limit of ${limit} ${counted} for ${whose} is reached: delete those that are no longer needed.`,
    { reason: 'TOO_MANY_SUBSCRIPTIONS', metadata: { limit, whose }, retryAfterSeconds: 60 },
  );
}
