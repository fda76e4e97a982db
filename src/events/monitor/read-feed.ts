import { linkSignals } from '../../kernel/cancel/link-signals.ts';
import type { EventsCaller } from '../caller.ts';
import { eventsLimits } from '../limits.ts';
import type { PublishedEvent } from '../model/published-event.ts';
import { reachOf } from '../model/reach.ts';
import type { Subscription } from '../model/subscription.ts';
import { subscriptionName } from '../model/subscription-name.ts';
import {
  type AttemptStretch,
  findLaneStatus,
  listAttemptsAfter,
  readLaneEvents,
  readLaneStatus,
} from '../store/lanes/attempt-store.ts';
import { listPublishedAfter } from '../store/queue/published-store.ts';
import { listChangedSubscriptions } from '../store/subscription-store.ts';
import { numbersShown, toAttemptResource } from './attempt-resource.ts';
import type { FeedHeads } from './feed-heads.ts';
import type { FeedItem, FeedKind } from './feed-items.ts';
import type { FeedPlace } from './feed-place.ts';
import { createLateRows } from './late-rows.ts';
import { attemptName } from './list-attempts.ts';
import { sightOf, toPublishedResource } from './list-published.ts';
import type { MonitorContext } from './monitor-context.ts';
import { toMonitored } from './monitored-subscription.ts';

export type FeedOptions = {
  readonly context: MonitorContext;
  readonly heads: FeedHeads;
  /** Fires when the feeds have to end. */
  readonly ended: AbortSignal;
  readonly caller: EventsCaller;
  /** Where to go on; left out, with what comes from now on. */
  readonly place?: FeedPlace | undefined;
  readonly kinds: ReadonlySet<FeedKind>;
  /** Of attempts and changes only those of this one. */
  readonly subscription?: Subscription | undefined;
};

/** Something that happened, with the place to resume from after it. */
export type PlacedItem = { readonly place: FeedPlace; readonly item: FeedItem };

const readAtOnce = 100;
/** Of attempts that were written down together the last so many are told. */
const attemptsTold = 50;
const heartbeat = 15_000;
const furthestBack = eventsLimits.feedResumed.value;
/** A time is no position: so far back changes are looked for. */
const furthestChange = 3_600_000;

/**
 * What happens within the caller's reach, for as long as the signal and the token allow (K13). Begins with
 * `ready`, and with `gap` where more was missed than is repeated. Yields `undefined` as a heartbeat. It is for
 * watching: what must not be missed is for a subscription.
 */
export async function* readFeed(
  options: FeedOptions,
  cancelled: AbortSignal,
): AsyncGenerator<readonly PlacedItem[] | undefined> {
  const { context, heads, caller } = options;
  const { clock } = context;
  const reading = linkSignals(cancelled, options.ended);
  const { signal } = reading;
  const stopWaiting = caller.onRevoked?.(() => reading.abort());
  const watch = heads.watch();
  let lastSign = clock.elapsed();
  try {
    const newest = await heads.read();
    const { place, isGap } = beginAt(options.place, newest);
    const read = createReader(options, place);
    yield [{ place, item: { kind: isGap ? 'gap' : 'ready' } }];
    while (!signal.aborted && clock.now() < caller.expiresAt) {
      const items = await read();
      if (items.length > 0) {
        lastSign = clock.elapsed();
        yield items;
        continue;
      }
      const untilSign = lastSign + heartbeat - clock.elapsed();
      const left = Math.min(untilSign, caller.expiresAt - clock.now());
      if ((await watch.alarm.sleep(left, signal)) || signal.aborted) continue;
      lastSign = clock.elapsed();
      yield undefined;
    }
  } finally {
    stopWaiting?.();
    reading.release();
    watch.close();
  }
}

function beginAt(
  given: FeedPlace | undefined,
  newest: FeedPlace,
): { place: FeedPlace; isGap: boolean } {
  if (given === undefined) return { place: newest, isGap: false };
  const place = {
    event: Math.max(given.event, newest.event - furthestBack),
    attempt: Math.max(given.attempt, newest.attempt - furthestBack),
    change: Math.max(given.change, newest.change - furthestChange),
  };
  const isGap = (['event', 'attempt', 'change'] as const).some((key) => place[key] > given[key]);
  return { place, isGap };
}

/** Reads what is new since it was last asked, a bounded part at a time. */
function createReader(options: FeedOptions, begin: FeedPlace): () => Promise<PlacedItem[]> {
  const { context, heads, caller, kinds, subscription } = options;
  const { database } = context;
  const reach = reachOf(caller, context);
  const isWanted = (id: string | undefined) => subscription === undefined || subscription.id === id;
  // The embedded file commits in the order of the numbers.
  const byPosition = { limit: readAtOnce, overlap: database.engine === 'sqlite' ? 0 : 200 };
  const numbered = {
    numberOf: ({ position }: { readonly position: number }) => position,
    keyOf: ({ position }: { readonly position: number }) => String(position),
  };
  const rows = {
    event: createLateRows<PublishedEvent>({
      begin: begin.event,
      ...byPosition,
      ...numbered,
      read: (query) => listPublishedAfter(database, query),
    }),
    attempt: createLateRows<AttemptStretch>({
      begin: begin.attempt,
      ...byPosition,
      ...numbered,
      read: (query) => listAttemptsAfter(database, { reach, ...query }),
    }),
    change: createLateRows<Subscription>({
      begin: begin.change,
      limit: readAtOnce,
      overlap: 2_000,
      read: (query) => listChangedSubscriptions(database, { reach, ...query }),
      numberOf: ({ updatedAt }) => updatedAt,
      keyOf: ({ id, revision }) => `${id} ${revision}`,
    }),
  };
  let place = begin;
  const put = (key: keyof FeedPlace, reached: number, item: FeedItem): PlacedItem => {
    place = { ...place, [key]: reached };
    return { place, item };
  };

  const readEvents = async (head: number): Promise<PlacedItem[]> => {
    const fresh = await rows.event.next(head);
    const sees = await sightOf(context, caller);
    return fresh
      .filter(({ row }) => sees(row))
      .map(({ row, reached }) =>
        put('event', reached, { kind: 'event', event: toPublishedResource(row) }),
      );
  };

  const readAttempts = async (head: number): Promise<PlacedItem[]> => {
    const fresh = await rows.attempt.next(head);
    const lanes = await findLaneStatus(database, [...new Set(fresh.map(({ row }) => row.lane))]);
    const items: PlacedItem[] = [];
    for (const { row, reached } of fresh) {
      const id = lanes.get(row.lane)?.subscriptionId;
      if (id === undefined || !isWanted(id)) continue;
      const told = await toItems(row, subscriptionName(id));
      // Whoever is cut off between them gets all of them again.
      const before = place.attempt;
      items.push(
        ...told.map((item, n) => put('attempt', n === told.length - 1 ? reached : before, item)),
      );
    }
    return items;
  };

  const toItems = async (
    { lane, position, attempts: all }: AttemptStretch,
    name: string,
  ): Promise<FeedItem[]> => {
    const told = all.slice(-attemptsTold);
    const events = await readLaneEvents(database, lane, [...new Set(told.flatMap(numbersShown))]);
    return told.map((attempt, n) => {
      const index = all.length - told.length + n;
      const shown = { name: attemptName({ position, index }), events };
      return { kind: 'attempt', subscription: name, attempt: toAttemptResource(attempt, shown) };
    });
  };

  const readChanges = async (head: number): Promise<PlacedItem[]> => {
    const fresh = (await rows.change.next(head)).filter(({ row }) => isWanted(row.id));
    const statuses = await readLaneStatus(
      database,
      fresh.map(({ row }) => row.id),
    );
    return fresh.map(({ row, reached }) => {
      const told = toMonitored(row, { status: statuses.get(row.id) });
      return put('change', reached, { kind: 'subscription', subscription: told });
    });
  };

  return async () => {
    const head = heads.latest() ?? begin;
    return [
      ...(kinds.has('events') ? await readEvents(head.event) : []),
      ...(kinds.has('attempts') ? await readAttempts(head.attempt) : []),
      ...(kinds.has('subscriptions') ? await readChanges(head.change) : []),
    ];
  };
}
