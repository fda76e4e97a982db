import type { Clock } from '../../kernel/time/clock.ts';
import { withDeadline } from '../../kernel/time/with-deadline.ts';
import type { Application } from '../model/application.ts';
import type { Subscription } from '../model/subscription.ts';
import { parsePairTarget } from '../options/pair-target.ts';
import { swapOptionsOf } from '../options/swap-options.ts';
import { writeReported } from '../store/price-watch-store.ts';
import type { PricedPair, PriceSource } from './price-source.ts';

/** How long a create waits for the chain; a quote takes less. */
const startBudgetMs = 5_000;

/**
 * Reads the price that a new subscription to a pair compares with first, so that a move right after its creation is not
 * missed. If the chain does not answer now, the subscription starts with its first reading.
 */
export function createPairStart(options: {
  readonly prices: Pick<PriceSource, 'servesChain' | 'readPair'>;
  readonly clock: Clock;
}): NonNullable<Application['onCreate']> {
  const { prices, clock } = options;
  return async (subscription, signal) => {
    const pair = toPricedPair(subscription);
    if (pair === undefined || !prices.servesChain(pair.chainId)) return undefined;
    const lastReported = await withDeadline(
      { clock, milliseconds: startBudgetMs, signal },
      (patience) => prices.readPair(pair, patience),
    ).catch(() => undefined);
    if (lastReported === undefined) return undefined;
    return async (tx) => {
      await writeReported(tx, { id: subscription.id, before: undefined, lastReported });
    };
  };
}

/** The pair that a subscription watches, with the amount that it asks for. */
export function toPricedPair({
  targetResource,
  options,
}: Pick<Subscription, 'targetResource' | 'options'>): PricedPair | undefined {
  const pair = parsePairTarget(targetResource);
  const amount = swapOptionsOf(options)?.amount;
  return pair === undefined || amount === undefined ? pair : { ...pair, amount: BigInt(amount) };
}
