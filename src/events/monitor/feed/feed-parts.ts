import type { EventsCaller } from '../../caller.ts';
import type { PublishedEvent } from '../../model/published-event.ts';
import { reachOf } from '../../model/reach.ts';
import type { Subscription } from '../../model/subscription.ts';
import { subscriptionName } from '../../model/subscription-name.ts';
import {
  type AttemptStretch,
  findLaneStatus,
  listAttemptsAfter,
  listLaneEvents,
  readLaneStatus,
} from '../../store/lanes/attempt-store.ts';
import { listPublishedAfter } from '../../store/queue/published-store.ts';
import { listChangedSubscriptions } from '../../store/subscription-store.ts';
import { numbersShown, toAttemptResource } from '../attempt-resource.ts';
import { attemptName } from '../list-attempts.ts';
import { sightOf, toPublishedResource } from '../list-published.ts';
import type { MonitorContext } from '../monitor-context.ts';
import { toMonitored } from '../monitored-subscription.ts';
import type { FeedItem, FeedKind } from './feed-items.ts';
import type { FeedPlace } from './feed-place.ts';
import { createLateRows } from './late-rows.ts';

/** What a feed may show, and to whom. */
export type FeedSight = {
  readonly context: MonitorContext;
  readonly caller: EventsCaller;
  /** If set, only attempts and changes of this subscription are shown. */
  readonly subscription?: Subscription | undefined;
};

/** One kind of feed items, and its number in a place. */
export type FeedPart = {
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
    const told: { items: readonly FeedItem[]; reached: number }[] = [];
    for (const { row, reached } of fresh) {
      const id = lanes.get(row.lane)?.subscriptionId;
      if (id === undefined || !isWanted(sight, id)) continue;
      told.push({ items: await toAttemptItems(context, row, subscriptionName(id)), reached });
    }
    return told;
  };
}

async function toAttemptItems(
  { database }: MonitorContext,
  { lane, position, attempts: all }: AttemptStretch,
  subscription: string,
): Promise<FeedItem[]> {
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
    const fresh = (await rows.next(head)).filter(({ row }) => isWanted(sight, row.id));
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
