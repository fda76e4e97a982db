import { type EventsCaller, reachOf } from '../model/caller.ts';
import type { PublishedEvent } from '../model/event.ts';
import { type Subscription, subscriptionName } from '../model/subscription.ts';
import {
  type AttemptStretch,
  findLaneStatus,
  type LaneStatus,
  listAttemptsAfter,
  listLaneEvents,
  readLaneStatus,
} from '../store/lanes/attempt-store.ts';
import { listPublishedAfter } from '../store/queue/published-store.ts';
import { listChangedSubscriptions, listSubscribed } from '../store/subscription-store.ts';
import { numbersShown, toAttemptResource } from './attempt-resource.ts';
import type { FeedItem, FeedKind, FeedPlace } from './feed-items.ts';
import { type MonitorContext, sightOfTypes } from './find-monitored.ts';
import { attemptName } from './list-attempts.ts';
import { toMonitored } from './list-monitored.ts';
import { sightOf, toPublishedResource } from './list-published.ts';

/** What a feed may show, and to whom. */
export type FeedSight = {
  readonly context: MonitorContext;
  readonly caller: EventsCaller;
  /** If set, only attempts and changes of this subscription are shown. */
  readonly subscription?: Subscription | undefined;
};

/** One kind of feed items, and its number in a place. */
type FeedPart = {
  readonly kind: FeedKind;
  readonly key: keyof FeedPlace;
  /**
   * Reads new items within the reach of the caller, and the number up to which the reader has then read. See
   * `createLateRows`.
   */
  read(head: number): Promise<{ readonly items: readonly FeedItem[]; readonly reached: number }[]>;
};

const readAtOnce = 100;
/** Of attempts that were written together, only the last so many are shown. */
const attemptsTold = 50;

/** What a feed is read from, beginning at a place. */
export function createFeedParts(sight: FeedSight, begin: FeedPlace): readonly FeedPart[] {
  return [
    { kind: 'events', key: 'event', read: createEventReader(sight, begin.event) },
    { kind: 'attempts', key: 'attempt', read: createAttemptReader(sight, begin.attempt) },
    { kind: 'subscriptions', key: 'change', read: createChangeReader(sight, begin.change) },
  ];
}

function createEventReader({ context, caller }: FeedSight, begin: number): FeedPart['read'] {
  const { database } = context;
  const rows = createLateRows<PublishedEvent>({
    begin,
    ...byPosition(context),
    read: (query) => listPublishedAfter(database, query),
  });
  return async (head) => {
    const fresh = await rows.next(head);
    const sees = await sightOf(context, caller);
    return fresh
      .filter(({ row }) => sees(row))
      .map(({ row, reached }) => ({
        items: [{ kind: 'event', event: toPublishedResource(row) }],
        reached,
      }));
  };
}

function createAttemptReader(sight: FeedSight, begin: number): FeedPart['read'] {
  const { context, caller } = sight;
  const { database } = context;
  const reach = reachOf(caller, context);
  const rows = createLateRows<AttemptStretch>({
    begin,
    ...byPosition(context),
    read: (query) => listAttemptsAfter(database, { reach, ...query }),
  });
  return async (head) => {
    const fresh = await rows.next(head);
    const lanes = await findLaneStatus(database, [...new Set(fresh.map(({ row }) => row.lane))]);
    const ids = [...lanes.values()].map(({ subscriptionId }) => subscriptionId);
    const subscribed = await listSubscribed(database, [...new Set(ids)]);
    const shows = await sightOfTypes(context, caller);
    const told: { items: readonly FeedItem[]; reached: number }[] = [];
    for (const { row, reached } of fresh) {
      const lane = lanes.get(row.lane);
      if (lane === undefined || !isWanted(sight, lane.subscriptionId)) continue;
      const subscription = subscribed.get(lane.subscriptionId);
      if (subscription === undefined || !shows(subscription)) continue;
      told.push({ items: await toAttemptItems(context, row, lane), reached });
    }
    return told;
  };
}

async function toAttemptItems(
  { database }: MonitorContext,
  { position, attempts: all }: AttemptStretch,
  lane: LaneStatus,
): Promise<FeedItem[]> {
  const subscription = subscriptionName(lane.subscriptionId);
  const told = all.slice(-attemptsTold);
  const events = await listLaneEvents(database, lane, [...new Set(told.flatMap(numbersShown))]);
  return told.map((attempt, n) => {
    const index = all.length - told.length + n;
    const shown = { name: attemptName({ position, index }), events };
    return { kind: 'attempt', subscription, attempt: toAttemptResource(attempt, shown) };
  });
}

function createChangeReader(sight: FeedSight, begin: number): FeedPart['read'] {
  const { context, caller } = sight;
  const { database } = context;
  const reach = reachOf(caller, context);
  const rows = createLateRows({
    begin,
    limit: readAtOnce,
    overlap: 2_000,
    read: (query) => listChangedSubscriptions(database, { reach, ...query }),
    numberOf: ({ updatedAt }) => updatedAt,
    keyOf: ({ id, revision }) => `${id} ${revision}`,
  });
  return async (head) => {
    const shows = await sightOfTypes(context, caller);
    const fresh = (await rows.next(head)).filter(
      ({ row }) => isWanted(sight, row.id) && shows(row),
    );
    const statuses = await readLaneStatus(
      database,
      fresh.map(({ row }) => row.id),
    );
    return fresh.map(({ row, reached }) => {
      const subscription = toMonitored(row, { status: statuses.get(row.id) });
      return { items: [{ kind: 'subscription', subscription }], reached };
    });
  };
}

function isWanted({ subscription }: FeedSight, id: string): boolean {
  return subscription === undefined || subscription.id === id;
}

/** Rows that are numbered as they are written. The embedded file commits in the order of the numbers. */
function byPosition({ database }: MonitorContext) {
  type Numbered = { readonly position: number };
  return {
    limit: readAtOnce,
    overlap: database.engine === 'sqlite' ? 0 : 200,
    numberOf: ({ position }: Numbered) => position,
    keyOf: ({ position }: Numbered) => String(position),
  };
}

/** Rows ordered by a number; some may be committed after rows with higher numbers. */
type LateRows<Row> = {
  /** Returns the new rows in order, each with the number that the reader has then reached. */
  next(head: number): Promise<{ readonly row: Row; readonly reached: number }[]>;
  /** The number that the reader has reached. */
  readonly reached: number;
};

type LateRowsOptions<Row> = {
  readonly begin: number;
  /** How far behind the reached number rows may still appear. */
  readonly overlap: number;
  readonly limit: number;
  /** Reads rows after a number, in the order of their numbers. */
  read(query: { readonly after: number; readonly limit: number }): Promise<readonly Row[]>;
  numberOf(row: Row): number;
  /** The identity of a row. */
  keyOf(row: Row): string;
};

/**
 * Reads again up to `overlap` behind the reached number, and leaves out rows that were returned already. Never reads
 * before the beginning, so a reader that resumes gets nothing twice. `head` was the highest number before the call: up
 * to there the reader also passes rows that only others may see.
 */
export function createLateRows<Row>(options: LateRowsOptions<Row>): LateRows<Row> {
  const { begin, overlap, limit, read, numberOf, keyOf } = options;
  let reached = begin;
  const told = new Map<string, number>();

  return {
    get reached() {
      return reached;
    },
    async next(head) {
      const after = Math.max(begin, reached - overlap);
      const most = limit + told.size;
      const rows = await read({ after, limit: most });
      const fresh = rows
        .filter((row) => !told.has(keyOf(row)))
        .map((row) => {
          reached = Math.max(reached, numberOf(row));
          told.set(keyOf(row), numberOf(row));
          return { row, reached };
        });
      if (rows.length < most) reached = Math.max(reached, head);
      for (const [key, number] of told) if (number <= reached - overlap) told.delete(key);
      return fresh;
    },
  };
}
