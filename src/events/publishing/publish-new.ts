import { createHash } from 'node:crypto';
import type { Transaction } from '../../kernel/database/database.ts';
import { eventsLimits } from '../limits.ts';
import type { EventVisibility } from '../model/caller.ts';
import type { NewEvent } from '../model/event.ts';
import type { Deliverer } from '../store/lanes/lane-notices.ts';
import { addFanOut, type FannedEvent } from '../store/queue/fan-out-store.ts';
import {
  appendToLanes,
  eventKey,
  insertEvents,
  matchSubscriptions,
  principalIn,
  putEvents,
  type QueueEntry,
} from '../store/queue/queue-store.ts';
import {
  type AddressedEvent,
  indexMatches,
  matchKeysOf,
  type PopularTargets,
} from './index-matches.ts';

type PublishingOptions = {
  readonly now: number;
  readonly deliverer: Deliverer;
  readonly visibility: EventVisibility;
  /** The batch type of each event type that has one. */
  readonly batchTypes: ReadonlyMap<string, string>;
  /** Events with more subscriptions than this are queued after the answer. */
  readonly mostAtOnce: number;
  readonly popular: PopularTargets;
};

/** What a transaction has published. */
type Published = {
  /** The positions of the new events, by their keys. */
  readonly positions: ReadonlyMap<string, number>;
  /** How many deliveries were queued for each publisher. */
  readonly deliveries: ReadonlyMap<string, number>;
};

type Stored = AddressedEvent & { readonly position: number };

/** A stored event that a subscription gets, with the target that matched. */
type Matched = Stored & { readonly target: string };

/** Stores the new events and queues them for their subscriptions. */
export async function publishNew(
  tx: Transaction,
  events: readonly AddressedEvent[],
  options: PublishingOptions,
): Promise<Published> {
  const { now, deliverer } = options;
  const positions = await insertEvents(
    tx,
    events.map(({ event }) => event),
    now,
  );
  const fresh = takeFirst(events, positions);
  if (fresh.length === 0) return { positions, deliveries: new Map() };
  const { byLane, waiting, single } = await findLanesNow(tx, fresh, options);
  const later = fresh.filter((one) => byLane === undefined || waiting.has(publisherOf(one)));
  for (const [publisher, some] of Map.groupBy(later, publisherOf)) {
    await addFanOut(tx, publisher, some.map(toFanned));
  }
  if (byLane === undefined) return { positions, deliveries: new Map() };
  const queued = new Map<number, QueueEntry[]>();
  for (const [lane, matched] of byLane) {
    const stored = single.has(lane)
      ? matched.map(({ position }) => position)
      : await withBatches(tx, matched, options);
    queued.set(
      lane,
      stored.map((position) => ({ event: position, createdAt: now })),
    );
  }
  await appendToLanes(tx, queued, { now, deliverer });
  const deliveries = new Map<string, number>();
  for (const matched of [...byLane.values()].flat()) {
    const publisher = publisherOf(matched);
    deliveries.set(publisher, (deliveries.get(publisher) ?? 0) + 1);
  }
  return { positions, deliveries };
}

/**
 * The events that each lane gets before the answer, or undefined if there are too many lanes. Events of the `waiting`
 * publishers are not among them: these have publications waiting, and queue behind those to keep their order (T12).
 */
async function findLanesNow(
  tx: Transaction,
  events: readonly Stored[],
  options: PublishingOptions,
): Promise<{
  readonly byLane: ReadonlyMap<number, Matched[]> | undefined;
  readonly waiting: ReadonlySet<string>;
  /** The lanes that get no batches. */
  readonly single: ReadonlySet<number>;
}> {
  const { visibility, popular } = options;
  const { isGathered, most, mostDeliveries } = boundsOf(events, options);
  const keys = matchKeysOf(events);
  const single = new Set<number>();
  if (!isGathered && popular.includesAny(keys))
    return { byLane: undefined, waiting: new Set(), single };
  const publishers = [...new Set(events.map(publisherOf))];
  const { matches, waiting } = await matchSubscriptions(tx, keys, { most: most + 1, publishers });
  if (matches.length > most) {
    if (!isGathered) popular.note(matches);
    return { byLane: undefined, waiting, single };
  }
  for (const { lane, isSingle } of matches) if (isSingle) single.add(lane);
  const atOnce = events.filter((addressed) => !waiting.has(publisherOf(addressed)));
  const lanesOf = indexMatches(matches, visibility);
  return { byLane: groupByLane(atOnce, { lanesOf, most: mostDeliveries }), waiting, single };
}

/** The events that were stored just now, each once, in the order they were given. */
export function takeFirst(
  events: readonly AddressedEvent[],
  positions: ReadonlyMap<string, number>,
) {
  const left = new Map(positions);
  return events.flatMap((addressed) => {
    const key = eventKey(addressed.event);
    const position = left.get(key);
    return position !== undefined && left.delete(key) ? [{ ...addressed, position }] : [];
  });
}

/** The positions of the events for a lane; many events of one type are replaced by their batch events. */
async function withBatches(
  tx: Transaction,
  matched: readonly Matched[],
  { batchTypes, now }: PublishingOptions,
): Promise<number[]> {
  if (matched.length < fewestInBatch) return matched.map(({ position }) => position);
  const groups = Map.groupBy(matched, ({ event }) => event.type);
  const batches = new Map<Matched, number[]>();
  for (const [type, alike] of groups) {
    const batchType = batchTypes.get(type);
    const [first] = alike;
    if (batchType === undefined || first === undefined || alike.length < fewestInBatch) continue;
    const events = alike.map(({ event }) => event);
    const made = gatherBatches({ events, batchType, target: first.target });
    const positions = await putEvents(tx, made, now);
    // The batches take the place of the first event, and the others are dropped.
    for (const one of alike) batches.set(one, one === first ? positions : []);
  }
  return matched.flatMap((one) => batches.get(one) ?? [one.position]);
}

/** The events of each lane; undefined if there are more than `most` deliveries in all. */
function groupByLane(
  events: readonly Stored[],
  options: { readonly lanesOf: ReturnType<typeof indexMatches>; readonly most: number },
): ReadonlyMap<number, Matched[]> | undefined {
  const { lanesOf, most } = options;
  const byLane = new Map<number, Matched[]>();
  let deliveries = 0;
  for (const addressed of events) {
    for (const [lane, target] of lanesOf(addressed)) {
      deliveries += 1;
      if (deliveries > most) return undefined;
      const matched = { ...addressed, target };
      const others = byLane.get(lane);
      if (others === undefined) byLane.set(lane, [matched]);
      else others.push(matched);
    }
  }
  return byLane;
}

/**
 * How many subscriptions, and how many deliveries to them, are queued before the answer. Events that are gathered into
 * batches have their own bounds: only this transaction has their data at hand, and a few rows replace them.
 */
function boundsOf(
  events: readonly AddressedEvent[],
  { batchTypes, mostAtOnce }: PublishingOptions,
): { readonly isGathered: boolean; readonly most: number; readonly mostDeliveries: number } {
  const isGathered =
    events.length >= fewestInBatch && events.some(({ event }) => batchTypes.has(event.type));
  const { deliveriesAtOnce, gatheredAtOnce } = eventsLimits;
  if (!isGathered) return { isGathered, most: mostAtOnce, mostDeliveries: deliveriesAtOnce.value };
  const mostDeliveries = gatheredAtOnce.value;
  return { isGathered, most: Math.floor(mostDeliveries / events.length), mostDeliveries };
}

function publisherOf({ event }: AddressedEvent): string {
  return principalIn(event);
}

/** The part of an event that the fan-out needs; its data stays where it is stored. */
function toFanned({ event, forms, position }: Stored): FannedEvent {
  const { type, subject, publishedBy } = event;
  const publisher = publishedBy && { account: publishedBy.account };
  return { position, forms, event: { type, subject, publishedBy: publisher } };
}

/** If a publication has at least this many events of one type for a subscription, they are sent as batch events. */
const fewestInBatch = 100;
/** A batch event is no larger than any other (E6.16); a quarter is left for its frame. */
const largestData = 192 * 1024;
const mostInBatch = 500;

type BatchRequest = {
  /** Events of one type, for one target, in order. */
  readonly events: readonly NewEvent[];
  readonly batchType: string;
  readonly target: string;
};

/**
 * The batch events that replace many events of one type (E10.7): their data in a list under the plural of the
 * resource's name, on their common target. This server is their publisher. Their ids are derived from the events, so
 * that the same publication makes the same batches.
 */
export function gatherBatches({ events, batchType, target }: BatchRequest): NewEvent[] {
  const batches: NewEvent[] = [];
  let gathered: NewEvent[] = [];
  let size = 0;
  const close = () => {
    if (gathered.length > 0) batches.push(toBatch(gathered, { batchType, target }));
    [gathered, size] = [[], 0];
  };
  for (const event of events) {
    const length = Buffer.byteLength(JSON.stringify(event.data));
    if (gathered.length === mostInBatch || size + length > largestData) close();
    gathered.push(event);
    size += length;
  }
  close();
  return batches;
}

function toBatch(
  events: readonly NewEvent[],
  { batchType, target }: Pick<BatchRequest, 'batchType' | 'target'>,
): NewEvent {
  const hash = createHash('sha256').update(`${batchType}\n${target}`);
  for (const event of events) hash.update(`\n${eventKey(event)}`);
  const [first, last] = [events[0], events.at(-1)];
  const [resource = 'resource'] = Object.keys(first?.data ?? {});
  return {
    id: `batch-${hash.digest('base64url').slice(0, 22)}`,
    source: first?.source ?? '',
    type: batchType,
    subject: target,
    occurredAt: last?.occurredAt ?? 0,
    data: { [`${resource}s`]: events.map(({ data }) => data) },
  };
}
