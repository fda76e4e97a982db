import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { boundTurns } from '../../kernel/wait/turns.ts';
import { fitsPattern } from '../applications/target-pattern.ts';
import { eventsLimits } from '../limits.ts';
import type { Application, Catalogue, Target } from '../model/application.ts';
import type { EventVisibility } from '../model/caller.ts';
import type { NewEvent, PublishResult } from '../model/event.ts';
import type { Deliverer } from '../store/lanes/lane-notices.ts';
import { appendToLanes, findLanes, insertEvents } from '../store/queue/queue-store.ts';
import { countAccepted, createSharedCommits } from './create-shared-commits.ts';
import type { StorageMeter } from './create-storage-meter.ts';
import { type AddressedEvent, rememberPopular } from './index-matches.ts';
import { publishNew, takeFirst } from './publish-new.ts';

type PublisherOptions = {
  readonly database: Database;
  /** Known without a query of the catalogue, so that most events need none. */
  readonly builtIn: readonly Application[];
  readonly catalogue: Pick<Catalogue, 'applicationOf'>;
  readonly visibility: EventVisibility;
  readonly clock: Clock;
  readonly deliverer: Deliverer;
  readonly storage: Pick<StorageMeter, 'noteDeliveries'>;
  /** Events with more subscriptions than this are queued after the answer. */
  readonly mostAtOnce?: number | undefined;
};

/** How many events are addressed in one step of a few milliseconds; other work runs in between. */
const addressedAtOnce = 100;

/** Makes the publisher; see {@link Publisher} for what it promises. */
export function createPublisher(options: PublisherOptions): Publisher {
  const { database, catalogue, visibility, clock, deliverer, storage } = options;
  const { mostAtOnce = eventsLimits.subscribersAtOnce.value } = options;
  const { targets, batchTypes } = indexTypes(options.builtIn);
  const inTurn = boundTurns(clock);
  const popular = rememberPopular(clock);
  const publishing = () => ({
    now: clock.now(),
    deliverer,
    visibility,
    batchTypes,
    mostAtOnce,
    popular,
  });

  const withForms = async (events: readonly NewEvent[]): Promise<AddressedEvent[]> => {
    const others = new Map<string, readonly Target[]>();
    for (const { type } of events) {
      if (targets.has(type) || others.has(type)) continue;
      others.set(type, (await catalogue.applicationOf(type))?.targets ?? []);
    }
    const addressed: AddressedEvent[] = [];
    for (let from = 0; from < events.length; from += addressedAtOnce) {
      const some = events.slice(from, from + addressedAtOnce);
      const addressSome = () =>
        some.map((event) => address(event, targets.get(event.type) ?? others.get(event.type)));
      addressed.push(...(from === 0 ? addressSome() : await inTurn(addressSome)));
    }
    return addressed;
  };

  /** Returns the positions of the new events by their keys. */
  const commit = async (
    events: readonly AddressedEvent[],
    work: (tx: Transaction) => Promise<void> = async () => {},
  ): Promise<ReadonlyMap<string, number>> => {
    const { positions, deliveries } = await database.transaction(async (tx) => {
      await work(tx);
      return publishNew(tx, events, publishing());
    });
    // Only now, because a transaction may fail, or be repeated.
    for (const [publisher, count] of deliveries) storage.noteDeliveries(publisher, count);
    return positions;
  };

  const publishTogether = createSharedCommits(
    // Runs for all callers that share the commit, although the first of them started it.
    (events) => onBehalfOfAll(() => commit(events)),
    clock,
  );

  return {
    publish: async (events) => publishTogether(await withForms(events)),
    async publishWith(events, work) {
      const addressed = await withForms(events);
      return countAccepted(addressed, new Set((await commit(addressed, work)).keys()));
    },
    async publishTo(tx, { subscriptionIds, events }) {
      const now = clock.now();
      const positions = await insertEvents(tx, events, now);
      const addressed = events.map((event) => ({ event, forms: [] }));
      const fresh = takeFirst(addressed, positions);
      if (fresh.length > 0) {
        const entries = fresh.map(({ position }) => ({ event: position, createdAt: now }));
        const lanes = await findLanes(tx, subscriptionIds);
        const queued = new Map(lanes.map((lane) => [lane, entries]));
        await appendToLanes(tx, queued, { now, deliverer });
      }
      return countAccepted(addressed, new Set(positions.keys()));
    },
  };
}

/** By event type: the targets of its application, and its batch type if it has one. */
function indexTypes(applications: readonly Application[]) {
  const targets = new Map<string, readonly Target[]>();
  const batchTypes = new Map<string, string>();
  for (const application of applications) {
    for (const [type, batchType] of Object.entries(application.batchTypes)) {
      batchTypes.set(type, batchType);
    }
    const types = application.targets.flatMap(({ eventTypes }) => eventTypes);
    for (const type of [...types, ...Object.values(application.batchTypes)]) {
      targets.set(type, application.targets);
    }
  }
  return { targets, batchTypes };
}

function address(event: NewEvent, targets: readonly Target[] = []): AddressedEvent {
  return { event, forms: targetForms(event.subject, targets) };
}

/** Events in. Each is stored once by publisher, `source` and `id`, and queued for every subscription it matches. */
export type Publisher = {
  /**
   * Stores the events and resolves once they are durable. Concurrent calls share a commit. Does not check the events
   * against the catalogue: a caller that takes them from outside does.
   */
  publish(events: readonly NewEvent[]): Promise<PublishResult>;
  /** The same in one transaction with the work of the caller, which runs first: both commit, or neither. */
  publishWith(
    events: readonly NewEvent[],
    work: (tx: Transaction) => Promise<void>,
  ): Promise<PublishResult>;
  /** Stores the events for these subscriptions alone, whatever they match. */
  publishTo(
    tx: Transaction,
    addressed: {
      readonly subscriptionIds: readonly string[];
      readonly events: readonly NewEvent[];
    },
  ): Promise<PublishResult>;
};

/**
 * The targets that subscriptions to an event may have. For each pattern of its application that
 * fits the subject or one of its ancestors, these are the name itself and its forms with `-` for
 * segments that are a placeholder as a whole (E14.6, E14.7). A target that covers the subject is
 * found by its one name (G4). Each is returned once.
 */
export function targetForms(
  subject: string,
  targets: readonly Pick<Target, 'pattern' | 'covers'>[],
): string[] {
  const segments = subject.split('/');
  const forms = targets.flatMap(({ pattern, covers }) => {
    if (covers === undefined) return formsOf(segments, pattern.split('/'));
    return covers.subjects.some((beginning) => subject.startsWith(beginning)) ? [covers.name] : [];
  });
  return [...new Set(forms)];
}

function formsOf(segments: readonly string[], wanted: readonly string[]): string[] {
  let forms: string[] | undefined;
  for (const [index, pattern] of wanted.entries()) {
    const segment = segments[index];
    if (segment === undefined) return [];
    const isPlaceholder = wholePlaceholder.test(pattern);
    const fits = isPlaceholder ? segment !== '' : fitsPattern(segment, pattern);
    if (!fits) return [];
    const spellings = isPlaceholder ? [segment, '-'] : [segment];
    forms =
      forms?.flatMap((form) => spellings.map((spelling) => `${form}/${spelling}`)) ?? spellings;
  }
  return forms ?? [];
}

const wholePlaceholder = /^\{\w+\}$/;
