import { onAbort } from '../../kernel/cancel/on-abort.ts';
import type { Database } from '../../kernel/database/database.ts';
import { drawText } from '../../kernel/draw-text.ts';
import { createLeasedWorker } from '../../kernel/lease/leased-worker.ts';
import { createAlarm } from '../../kernel/lifecycle/alarm.ts';
import type { Worker } from '../../kernel/lifecycle/worker.ts';
import type { Random } from '../../kernel/random.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { swapTypes } from '../applications/own-event-types.ts';
import { swapOptionsOf } from '../options/swap-options.ts';
import type { Publisher } from '../publishing/publisher.ts';
import {
  forgetReported,
  listWatching,
  type WatchingSubscription,
  writeReported,
} from '../store/price-watch-store.ts';
import { newPairs, toPricedPair } from './pair-start.ts';
import type { PairChange, PriceSource } from './price-source.ts';
import { toRpcsEvent, toSwapEvents } from './swap-events.ts';

export type SwapSourceOptions = {
  readonly prices: PriceSource;
  readonly publisher: Publisher;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure: (error: unknown) => void;
};

/** How late a change of a subscription may be noticed; a new one is noticed at once. */
const lookEveryMs = 1_000;
const { priceMoved, routeChanged } = swapTypes;

/**
 * Watches the pairs that are subscribed to (E14.11, E14.12), in one process at a time. Each subscription has its own
 * options and counts from what was last reported to it, which is written in the transaction of the event: a restart
 * neither misses nor repeats.
 */
export function createSwapSource(options: SwapSourceOptions): readonly Worker[] {
  const { prices, publisher, database, clock, random, onFailure } = options;
  const alarm = createAlarm(clock);

  /** Returns false where something else was reported to the subscription meanwhile. */
  async function tell(subscription: WatchingSubscription, change: PairChange): Promise<boolean> {
    const { id } = subscription;
    const { before, lastReported } = change;
    const events = toSwapEvents(change, { subscription, now: clock.now() });
    return database.transaction(async (tx) => {
      if (!(await writeReported(tx, { id, before, lastReported }))) return false;
      if (events.length > 0) await publisher.publishTo(tx, { subscriptionIds: [id], events });
      return true;
    });
  }

  const watch: Watch = (subscription, onOutdated) => {
    const { eventTypes, lastReported } = subscription;
    const pair = toPricedPair(subscription);
    const options = swapOptionsOf(subscription.options);
    if (pair === undefined || options === undefined) return undefined;
    if (!prices.servesChain(pair.chainId)) return undefined;
    const { thresholdBps, intervalSeconds } = options;
    const kinds = [
      ...(eventTypes.includes(priceMoved) ? (['price'] as const) : []),
      ...(eventTypes.includes(routeChanged) ? (['route'] as const) : []),
    ];
    const terms = { thresholdBps, intervalSeconds, kinds, lastReported };
    return prices.watchPair({ ...pair, ...terms }, async (change) => {
      if (!(await tell(subscription, change))) onOutdated();
    });
  };

  async function watchAll(signal: AbortSignal): Promise<void> {
    const watches = createWatches(watch);
    const unlisten = await database.listen(newPairs, alarm.ring);
    try {
      await forgetReported(database);
      while (!signal.aborted) {
        const eventTypes = [priceMoved, routeChanged];
        watches.follow(await listWatching(database, { eventTypes, now: clock.now() }));
        await alarm.sleep(lookEveryMs, signal);
      }
    } finally {
      watches.follow([]);
      await unlisten();
    }
  }

  const name = 'swap-source';
  return [
    createLeasedWorker({ name, database, clock, random, work: watchAll, onFailure }),
    createRpcsSource(options),
  ];
}

/** Tells of changes among the endpoints that chains are read through. */
function createRpcsSource(options: SwapSourceOptions): Worker {
  const { prices, publisher, clock, random, onFailure } = options;
  return {
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
  };
}

type Watch = (
  subscription: WatchingSubscription,
  onOutdated: () => void,
) => (() => void) | undefined;

/** Keeps one watch for each subscription that is wanted. One that changed its types is watched anew. */
function createWatches(watch: Watch): {
  follow(wanted: readonly WatchingSubscription[]): void;
} {
  const watches = new Map<string, { readonly types: string; stop: (() => void) | undefined }>();
  const end = (id: string) => {
    watches.get(id)?.stop?.();
    watches.delete(id);
  };
  return {
    follow(wanted) {
      const typesOf = new Map(wanted.map((one) => [one.id as string, one.eventTypes.join()]));
      for (const [id, { types }] of watches) if (typesOf.get(id) !== types) end(id);
      for (const subscription of wanted) {
        const { id, eventTypes } = subscription;
        if (watches.has(id)) continue;
        const stop = watch(subscription, () => end(id));
        watches.set(id, { types: eventTypes.join(), stop });
      }
    },
  };
}
