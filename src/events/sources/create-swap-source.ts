import { onAbort } from '../../kernel/cancel/on-abort.ts';
import { withDeadline } from '../../kernel/cancel/with-deadline.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { drawText } from '../../kernel/draw-text.ts';
import { createLeasedWorker } from '../../kernel/lease/leased-worker.ts';
import { createAlarm } from '../../kernel/lifecycle/alarm.ts';
import type { Worker } from '../../kernel/lifecycle/worker.ts';
import type { Random } from '../../kernel/random.ts';
import { swapTypes } from '../applications/own-event-types.ts';
import { parsePairTarget } from '../applications/pair-target.ts';
import type { Subscription } from '../model/subscription.ts';
import type { ToldPrice } from '../model/told-price.ts';
import type { Publisher } from '../publishing/publisher.ts';
import {
  forgetTold,
  listWatching,
  type WatchingSubscription,
  writeTold,
} from '../store/price-watch-store.ts';
import type { PairChange, PricedPair, PriceSource } from './price-source.ts';
import { toRpcsEvent, toSwapEvents } from './swap-events.ts';

export type SwapSourceOptions = {
  readonly prices: PriceSource;
  readonly publisher: Publisher;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure: (error: unknown) => void;
};

type Targeted = Pick<Subscription, 'targetResource' | 'swapOptions'>;

/** Tells subscriptions of what happens in the swap service. */
export type SwapSource = {
  readonly workers: readonly Worker[];
  /**
   * What a subscription that is being created counts from, so that a move right after its creation is
   * not missed. Undefined for what is no pair, and where the chain does not answer now: then it counts
   * from its first reading.
   */
  readStart(subscription: Targeted, signal: AbortSignal): Promise<ToldPrice | undefined>;
  /** Keeps that start in the transaction that creates the subscription, and begins to watch. */
  keepStart(tx: Transaction, id: string, told: ToldPrice): Promise<void>;
};

/** The channel on which the source is woken by a new subscription. */
const channel = 'events.pairs';
/** How late a change of a subscription may be noticed; a new one is noticed at once. */
const lookEveryMs = 1_000;
/** What a create waits for the chain; a quote takes less. */
const startBudgetMs = 5_000;
const { priceMoved, routeChanged } = swapTypes;

/**
 * Watches the pairs that are subscribed to (E14.11, E14.12), in one process at a time. Each
 * subscription is told by its own options and counts from what it was told itself, which is written
 * in the transaction of the event: a restart neither misses nor repeats.
 */
export function createSwapSource(options: SwapSourceOptions): SwapSource {
  const { prices, publisher, database, clock, random, onFailure } = options;
  const alarm = createAlarm(clock);

  /** Answers false where the subscription was told something else meanwhile. */
  async function tell(subscription: WatchingSubscription, change: PairChange): Promise<boolean> {
    const { id } = subscription;
    const { before, told } = change;
    const events = toSwapEvents(change, { subscription, now: clock.now() });
    return database.transaction(async (tx) => {
      if (!(await writeTold(tx, { id, before, told }))) return false;
      if (events.length > 0) await publisher.publishTo(tx, { subscriptionIds: [id], events });
      return true;
    });
  }

  function watch(
    subscription: WatchingSubscription,
    onOutdated: () => void,
  ): (() => void) | undefined {
    const { swapOptions, eventTypes, told } = subscription;
    const pair = toPair(subscription);
    if (pair === undefined || swapOptions === undefined) return undefined;
    if (!prices.servesChain(pair.chainId)) return undefined;
    const { thresholdBps, intervalSeconds } = swapOptions;
    const kinds = [
      ...(eventTypes.includes(priceMoved) ? (['price'] as const) : []),
      ...(eventTypes.includes(routeChanged) ? (['route'] as const) : []),
    ];
    const terms = { thresholdBps, intervalSeconds, kinds, told };
    return prices.watchPair({ ...pair, ...terms }, async (change) => {
      if (!(await tell(subscription, change))) onOutdated();
    });
  }

  async function watchAll(signal: AbortSignal): Promise<void> {
    const watches = new Map<string, { readonly types: string; stop: (() => void) | undefined }>();
    const end = (id: string) => {
      watches.get(id)?.stop?.();
      watches.delete(id);
    };
    const unlisten = await database.listen(channel, alarm.ring);
    try {
      await forgetTold(database);
      while (!signal.aborted) {
        const wanted = await listWatching(database, {
          eventTypes: [priceMoved, routeChanged],
          now: clock.now(),
        });
        const typesOf = new Map(wanted.map((one) => [one.id as string, one.eventTypes.join()]));
        for (const [id, { types }] of watches) if (typesOf.get(id) !== types) end(id);
        for (const subscription of wanted) {
          const { id, eventTypes } = subscription;
          if (watches.has(id)) continue;
          const stop = watch(subscription, () => end(id));
          watches.set(id, { types: eventTypes.join(), stop });
        }
        await alarm.sleep(lookEveryMs, signal);
      }
    } finally {
      for (const id of watches.keys()) end(id);
      await unlisten();
    }
  }

  return {
    workers: [
      createLeasedWorker({
        name: 'swap-source',
        database,
        clock,
        random,
        work: watchAll,
        onFailure,
      }),
      {
        name: 'rpcs-source',
        async run(signal) {
          if (signal.aborted) return;
          const stop = prices.watchRpcs((rpcs) => {
            const id = drawText(random, 12);
            publisher.publish([toRpcsEvent(rpcs, { id, now: clock.now() })]).catch(onFailure);
          });
          await new Promise<void>((end) => onAbort(signal, end));
          stop();
        },
      },
    ],
    async readStart(subscription, signal) {
      const pair = toPair(subscription);
      if (pair === undefined || !prices.servesChain(pair.chainId)) return undefined;
      return withDeadline({ clock, milliseconds: startBudgetMs, signal }, (patience) =>
        prices.readPair(pair, patience),
      ).catch(() => undefined);
    },
    async keepStart(tx, id, told) {
      await writeTold(tx, { id, before: undefined, told });
      tx.notify(channel);
    },
  };
}

function toPair({ targetResource, swapOptions }: Targeted): PricedPair | undefined {
  const pair = parsePairTarget(targetResource);
  if (pair === undefined || swapOptions?.amount === undefined) return pair;
  return { ...pair, amount: BigInt(swapOptions.amount) };
}
