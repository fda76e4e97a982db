import { onBehalfOfAll } from '../../kernel/cancel/presence.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { eventsLimits } from '../limits.ts';
import type { Application, Catalogue } from '../model/application.ts';
import type { NewEvent } from '../model/event.ts';
import type { Deliverer } from '../store/lanes/lane-notices.ts';
import { addFanOut, type FannedEvent } from '../store/queue/fan-out-store.ts';
import {
  appendToLanes,
  eventKey,
  findLanes,
  insertEvents,
  matchSubscriptions,
  putEvents,
  type QueueEntry,
} from '../store/queue/queue-store.ts';
import { countAccepted, createSharedCommits } from './create-shared-commits.ts';
import { fewestInBatch, gatherBatches } from './gather-batches.ts';
import {
  type AddressedEvent,
  type EventVisibility,
  indexMatches,
  matchKeysOf,
} from './index-matches.ts';
import type { Publisher } from './publisher.ts';
import { targetForms } from './target-forms.ts';

export type PublisherOptions = {
  readonly database: Database;
  /** Known without asking the database, which a transaction under way forbids. */
  readonly builtIn: readonly Application[];
  readonly catalogue: Pick<Catalogue, 'applicationOf'>;
  readonly visibility: EventVisibility;
  readonly clock: Clock;
  readonly deliverer: Deliverer;
  /** What has more subscriptions than this is queued for them after the answer. */
  readonly mostAtOnce?: number | undefined;
};

/** Makes the publisher; see {@link Publisher} for what it promises. */
export function createPublisher(options: PublisherOptions): Publisher {
  const { database, catalogue, visibility, clock, deliverer } = options;
  const { mostAtOnce = eventsLimits.subscribersAtOnce.value } = options;
  const builtInPatterns = new Map<string, string[]>();
  const batchTypes = new Map<string, string>();
  for (const application of options.builtIn) {
    for (const [type, batchType] of Object.entries(application.batchTypes)) {
      batchTypes.set(type, batchType);
    }
    const patterns = application.targets.map(({ pattern }) => pattern);
    for (const type of application.targets.flatMap(({ eventTypes }) => eventTypes)) {
      builtInPatterns.set(type, patterns);
    }
  }

  const withForms = async (events: readonly NewEvent[]): Promise<AddressedEvent[]> => {
    const others = new Map<string, readonly string[]>();
    for (const { type } of events) {
      if (builtInPatterns.has(type) || others.has(type)) continue;
      const application = await catalogue.applicationOf(type);
      others.set(type, application?.targets.map(({ pattern }) => pattern) ?? []);
    }
    return events.map((event) =>
      address(event, builtInPatterns.get(event.type) ?? others.get(event.type)),
    );
  };

  /** Stores what is new, queues it for those it is for, and answers the keys of what was new. */
  const publishNew = async (
    tx: Transaction,
    events: readonly AddressedEvent[],
  ): Promise<ReadonlyMap<string, number>> => {
    const positions = await insertEvents(
      tx,
      events.map(({ event }) => event),
      clock.now(),
    );
    const fresh = takeFirst(events, positions);
    if (fresh.length === 0) return positions;
    // What is gathered is so for each subscription, from data that only this transaction has at hand.
    const most = isGathered(fresh) ? mostMatches : mostAtOnce + 1;
    const { matches, isAnyWaiting } = await matchSubscriptions(tx, matchKeysOf(fresh), most);
    // Behind those that wait, for the order of its publisher in each lane (T12).
    if (isAnyWaiting || matches.length >= most) {
      await addFanOut(tx, fresh.map(toFanned));
      return positions;
    }
    const lanesOf = indexMatches(matches, visibility);
    const byLane = new Map<number, Matched[]>();
    for (const addressed of fresh) {
      for (const [lane, target] of lanesOf(addressed)) {
        const matched = { ...addressed, target };
        const others = byLane.get(lane);
        if (others === undefined) byLane.set(lane, [matched]);
        else others.push(matched);
      }
    }
    const queued = new Map<number, QueueEntry[]>();
    for (const [lane, matched] of byLane) {
      queued.set(lane, (await withBatches(tx, matched)).map(toEntry));
    }
    await appendToLanes(tx, queued, { now: clock.now(), deliverer });
    return positions;
  };

  /** The positions of what a lane gets: its events, or where many are alike the batches of them. */
  const withBatches = async (tx: Transaction, matched: readonly Matched[]): Promise<number[]> => {
    if (matched.length < fewestInBatch) return matched.map(({ position }) => position);
    const groups = Map.groupBy(matched, ({ event }) => event.type);
    const batches = new Map<Matched, number[]>();
    for (const [type, alike] of groups) {
      const batchType = batchTypes.get(type);
      const [first] = alike;
      if (batchType === undefined || first === undefined || alike.length < fewestInBatch) continue;
      const events = alike.map(({ event }) => event);
      const made = gatherBatches({ events, batchType, target: first.target });
      const positions = await putEvents(tx, made, clock.now());
      // In the place of the first, and nothing in that of the others.
      for (const one of alike) batches.set(one, one === first ? positions : []);
    }
    return matched.flatMap((one) => batches.get(one) ?? [one.position]);
  };

  /** Whether so many are alike that they are gathered, for each subscription by its target. */
  const isGathered = (events: readonly AddressedEvent[]): boolean =>
    events.length >= fewestInBatch && events.some(({ event }) => batchTypes.has(event.type));

  const toEntry = (position: number): QueueEntry => ({ event: position, createdAt: clock.now() });

  const publishTogether = createSharedCommits(
    // For all who share it, though the first of them began it.
    (events) => onBehalfOfAll(() => database.transaction((tx) => publishNew(tx, events))),
    clock,
  );

  return {
    publish: async (events) => publishTogether(await withForms(events)),
    async publishInTransaction(tx, events) {
      const addressed = events.map((event) => address(event, builtInPatterns.get(event.type)));
      const positions = await publishNew(tx, addressed);
      return countAccepted(addressed, new Set(positions.keys()));
    },
    async publishTo(tx, { subscriptionIds, events }) {
      const positions = await insertEvents(tx, events, clock.now());
      const addressed = events.map((event) => ({ event, forms: [] }));
      const entries = takeFirst(addressed, positions).map(({ position }) => toEntry(position));
      if (entries.length > 0) {
        const lanes = await findLanes(tx, subscriptionIds);
        const queued = new Map(lanes.map((lane) => [lane, entries]));
        await appendToLanes(tx, queued, { now: clock.now(), deliverer });
      }
      return countAccepted(addressed, new Set(positions.keys()));
    },
  };
}

/** A stored event that a subscription gets, by the target it was found by. */
type Matched = AddressedEvent & { readonly position: number; readonly target: string };

/** More than there may be. */
const mostMatches = eventsLimits.subscriptions.value;

/** Of an event what the fan-out needs: its data stays where it is stored. */
function toFanned({ event, forms, position }: AddressedEvent & { position: number }): FannedEvent {
  const { type, subject, publishedBy } = event;
  const publisher = publishedBy && { account: publishedBy.account };
  return { position, forms, event: { type, subject, publishedBy: publisher } };
}

function address(event: NewEvent, patterns: readonly string[] = []): AddressedEvent {
  return { event, forms: targetForms(event.subject, patterns) };
}

/** The events that were stored just now, each once, in the order they were given. */
function takeFirst(events: readonly AddressedEvent[], positions: ReadonlyMap<string, number>) {
  const left = new Map(positions);
  return events.flatMap((addressed) => {
    const key = eventKey(addressed.event);
    const position = left.get(key);
    return position !== undefined && left.delete(key) ? [{ ...addressed, position }] : [];
  });
}
