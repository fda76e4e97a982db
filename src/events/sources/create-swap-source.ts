import { createHash } from 'node:crypto';
import type { Database } from '../../kernel/database/database.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Worker } from '../../kernel/process/worker.ts';
import { createAlarm } from '../../kernel/wait/alarm.ts';
import { onAbort } from '../../kernel/wait/cancel.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { createLeasedWorker } from '../../kernel/work/lease.ts';
import { swapTypes } from '../applications/own-event-types.ts';
import { parsePairTarget, swapOptionsOf } from '../model/application-options.ts';
import type { NewEvent } from '../model/event.ts';
import type { Subscription, SubscriptionId } from '../model/subscription.ts';
import type { Publisher } from '../publishing/create-publisher.ts';
import {
  findWatching,
  forgetReported,
  listenForPairs,
  listWatching,
  type WatchingSubscription,
  writeReported,
} from '../store/price-watch-store.ts';
import { type PairChange, type PriceSource, toPricedPair } from './price-source.ts';

type SwapSourceOptions = {
  readonly prices: PriceSource;
  readonly publisher: Publisher;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure: (error: unknown) => void;
};

/**
 * Changes arrive as notifications. All subscriptions are read again this often for changes by processes of an earlier
 * version, which do not notify.
 */
const readAllEveryMs = 600_000;
const { priceMoved, routeChanged } = swapTypes;
const eventTypes = [priceMoved, routeChanged];

/**
 * Watches the pairs that are subscribed to (E14.11, E14.12), in one process at a time. Each subscription has its own
 * options and compares with what was last reported to it. That is stored in the transaction of the event, so a restart
 * neither misses nor repeats an event. Subscriptions are read when the source begins, and then one by one as they
 * change.
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

  const watch = (subscription: WatchingSubscription, onOutdated: () => void) => {
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
    const watches = createWatches((subscription) =>
      watch(subscription, () => {
        watches.followOne(subscription.id, undefined);
        hear(subscription.id);
      }),
    );
    const changed = new Set<SubscriptionId>();
    let readAllAt = clock.elapsed();
    const hear = (id: SubscriptionId | undefined) => {
      if (id === undefined) readAllAt = clock.elapsed();
      else changed.add(id);
      alarm.ring();
    };
    const unlisten = await listenForPairs(database, hear);
    try {
      await forgetReported(database);
      while (!signal.aborted) {
        if (clock.elapsed() >= readAllAt) {
          readAllAt = clock.elapsed() + readAllEveryMs;
          changed.clear();
          watches.follow(await listWatching(database, { eventTypes, now: clock.now() }));
        }
        for (const id of changed) {
          changed.delete(id);
          const query = { id, eventTypes, now: clock.now() };
          watches.followOne(id, await findWatching(database, query));
        }
        await alarm.sleep(readAllAt - clock.elapsed(), signal);
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

/** Publishes an event whenever the RPC endpoints of a chain have been measured. */
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

/** Returns a function that ends the watch; undefined if there is nothing to watch. */
type Watch = (subscription: WatchingSubscription) => (() => void) | undefined;

/** Keeps one watch for each wanted subscription. If its event types change, the watch is replaced. */
function createWatches(watch: Watch) {
  const watches = new Map<string, { readonly types: string; stop: (() => void) | undefined }>();
  const followOne = (id: string, wanted: WatchingSubscription | undefined) => {
    const types = wanted?.eventTypes.join();
    if (watches.get(id)?.types === types) return;
    watches.get(id)?.stop?.();
    watches.delete(id);
    if (wanted && types) watches.set(id, { types, stop: watch(wanted) });
  };
  return {
    followOne,
    follow(all: readonly WatchingSubscription[]) {
      const wanted = new Map<string, WatchingSubscription>(all.map((one) => [one.id, one]));
      for (const id of [...watches.keys(), ...wanted.keys()]) followOne(id, wanted.get(id));
    },
  };
}

/**
 * The events of a change for one subscription; each subscription has its own, because its options are its own. Their
 * ids are derived from the subscription and the block, so that a change published twice is a duplicate.
 */
function toSwapEvents(
  change: PairChange,
  {
    subscription,
    now,
  }: { subscription: Pick<Subscription, 'uid' | 'targetResource'>; now: number },
): NewEvent[] {
  const { reading, before } = change;
  const { uid, targetResource: subject } = subscription;
  const pair = parsePairTarget(subject);
  const common = {
    name: subject.slice('//swap/'.length),
    chainId: pair?.chainId,
    tokenIn: pair?.tokenIn,
    tokenOut: pair?.tokenOut,
    amountIn: String(reading.amountIn),
    amountOut: String(reading.amountOut),
    price: reading.price,
    blockNumber: Number(reading.blockNumber),
    blockHash: reading.blockHash,
  };
  const previous = { previousAmountIn: before?.amountIn, previousAmountOut: before?.amountOut };
  const eventOf = (type: string, data: NewEvent['data']): NewEvent => ({
    id: createHash('sha256').update(`${uid} ${type} ${reading.blockHash}`).digest('base64url'),
    source: `//swap/chains/${pair?.chainId}`,
    type,
    subject,
    occurredAt: now,
    data,
  });
  return change.kinds.map((kind) =>
    kind === 'price'
      ? eventOf(swapTypes.priceMoved, { price: { ...common, ...previous } })
      : eventOf(swapTypes.routeChanged, { route: { ...common, paths: reading.route } }),
  );
}

/** The event that the RPC endpoints of a chain were measured. */
function toRpcsEvent(
  { chainId, rpcUrls }: { readonly chainId: number; readonly rpcUrls: readonly string[] },
  { id, now }: { id: string; now: number },
): NewEvent {
  const subject = `//swap/chains/${chainId}`;
  const type = swapTypes.rpcsRefreshed;
  const rpcs = { name: `chains/${chainId}/rpcs`, chainId, rpcUrls };
  return { id, source: subject, type, subject, occurredAt: now, data: { rpcs } };
}
