import type { Database, Queries } from '../../kernel/database/database.ts';
import { patienceWithWorker, type Worker } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { eventsLimits } from '../limits.ts';
import { accountOfPrincipal } from '../model/caller.ts';
import { EventsError } from '../model/events-error.ts';
import { countFanOuts } from '../store/queue/fan-out-store.ts';
import {
  addDeliveries,
  bytesBesideText,
  bytesOfDelivery,
  measureDeliveries,
  measureVolume,
  pruneDeliveryCounts,
  readVolumeEnds,
} from '../store/queue/measure-store.ts';

/**
 * Measures how many bytes of events and deliveries are stored and how many publications wait to be queued, and refuses
 * more than the bounds (N5).
 */
export type StorageMeter = {
  /**
   * Throws `RESOURCE_EXHAUSTED` while all publishers together or this one have used up their storage, or too many of
   * its publications wait.
   */
  requireRoom(publisher: string): void;
  /**
   * The same for a publication, whose text counts at once: until `settle` as a whole, and then, with its rows, for the
   * events that were accepted, until they are measured. Call `settle` whatever becomes of it.
   */
  takeRoom(publisher: string, textBytes: number): { settle(result?: Settled): void };
  /** Counts deliveries of a publisher that are queued by this process. */
  noteDeliveries(publisher: string, deliveries: number): void;
  /** Measures what was stored since, some seconds late. */
  readonly worker: Worker;
};

/** How many of the events of a publication were accepted; none if it failed. */
type Settled = { readonly accepted: number; readonly duplicates: number };

export type StorageMeterOptions = {
  readonly database: Queries & Pick<Database, 'engine'>;
  readonly clock: Clock;
  readonly settings: {
    /** Bytes of events of all publishers. */
    readonly eventStorage: number;
    /** How long events are kept, in milliseconds. */
    readonly eventRetention: number;
  };
  onFailure?(error: unknown): void;
};

/** The share of the storage that one account may fill, so that none of them locks out the others. */
const shareOfPublisher = eventsLimits.storedBytesOfPublisher.value / eventsLimits.storedBytes.value;
const mostWaiting = eventsLimits.fanOutsOfPublisher.value;
/** Between two measurements, in milliseconds. */
const pause = 5_000;
/** How many positions one query measures; a stretch is dropped as a whole once it is pruned. */
const positionsInStretch = 10_000;
/**
 * The retention is divided into this many parts; deliveries that it removes within the same part are counted together.
 */
const partsOfRetention = 8;
/** Seconds after which a refused publisher may look again: retention works in minutes. */
const retryAfterSeconds = 60;

/**
 * Measures the stretches of positions that are committed. Only the last, incomplete one is measured again, and those
 * that retention has pruned are dropped. So publishing writes nothing for the meter. Until they are measured, some ten
 * seconds, events count by the texts in which this process took them [F58]; those that other processes took do not count yet, and the quota of
 * each publisher bounds them (F8). Events that the server publishes itself are never refused.
 *
 * Deliveries are counted when they are queued, and the counts are written with the next measurement, so that hundreds
 * of thousands of rows are not read again. They count until retention is over, even if their subscription is deleted
 * earlier.
 */
export function createStorageMeter(options: StorageMeterOptions): StorageMeter {
  const { database, clock, settings, onFailure = () => {} } = options;
  const { eventStorage, eventRetention } = settings;
  let stretches: Stretch[] = [];
  let measured = 0;
  let totals = addUp([]);
  let queued = addUp([]);
  const unmeasured = createUnmeasured(bytesBesideText[database.engine]);
  let waiting: ReadonlyMap<string, number> = addUp([]).of;
  /** What was the highest position a while ago: everything up to it is committed or never will be. */
  let settled = 0;

  const noteDeliveries = (publisher: string, deliveries: number) => {
    add(queued, shareOf(publisher), deliveries);
  };

  const countDeliveries = async (): Promise<ReadonlyMap<string, number>> => {
    const now = clock.now();
    const part = Math.ceil(eventRetention / partsOfRetention);
    const goneAt = Math.ceil((now + eventRetention) / part) * part;
    const taken = queued;
    queued = addUp([]);
    try {
      await addDeliveries(database, taken.of, goneAt);
    } catch (error) {
      for (const [share, deliveries] of taken.of) add(queued, share, deliveries);
      throw error;
    }
    await pruneDeliveryCounts(database, now);
    return measureDeliveries(database, now);
  };

  const measureStored = async (signal: AbortSignal, move: () => void): Promise<void> => {
    const ends = await readVolumeEnds(database);
    const first = ends?.first ?? Number.POSITIVE_INFINITY;
    stretches = stretches.filter(({ through }) => through >= first);
    measured = Math.max(measured, Math.min(first - 1, settled));
    while (measured < settled && !signal.aborted) {
      const from = stretches.at(-1);
      const isWhole = from === undefined || from.through >= from.after + positionsInStretch;
      const after = isWhole ? measured : from.after;
      const through = Math.min(settled, after + positionsInStretch);
      const bytes = await measureVolume(database, after, through);
      if (!isWhole) stretches.pop();
      stretches.push({ after, through, bytes });
      measured = through;
      move();
    }
    settled = ends?.last ?? settled;
    totals = addUp([...stretches.map(({ bytes }) => bytes), await countDeliveries()]);
    waiting = addUp([await countFanOuts(database)]).of;
  };

  const storedByAll = () =>
    totals.all + queued.all * bytesOfDelivery + unmeasured.bytes(({ all }) => all);
  const storedBy = (publisher: string) => {
    const ofOne = ({ of }: Totals) => of.get(shareOf(publisher)) ?? 0;
    return ofOne(totals) + ofOne(queued) * bytesOfDelivery + unmeasured.bytes(ofOne);
  };
  const requireRoom = (publisher: string): void => {
    if (storedByAll() >= eventStorage) throw full('all publishers', eventStorage);
    const share = eventStorage * shareOfPublisher;
    if (storedBy(publisher) >= share) throw full('one publisher', share);
    const isBehind = (waiting.get(shareOf(publisher)) ?? 0) >= mostWaiting;
    if (isBehind) throw behind();
  };

  return {
    noteDeliveries,
    requireRoom,
    takeRoom(publisher, textBytes) {
      requireRoom(publisher);
      return unmeasured.begin(shareOf(publisher), textBytes);
    },
    worker: createMeterWorker(clock, (signal, move) =>
      unmeasured.during(() => measureStored(signal, move)).catch(onFailure),
    ),
  };
}

function createMeterWorker(
  clock: Clock,
  measure: (signal: AbortSignal, move: () => void) => Promise<void>,
): Worker {
  return {
    name: 'events-storage-meter',
    movesWithin: pause + patienceWithWorker,
    async run(signal, move = () => {}) {
      while (!signal.aborted) {
        move();
        await measure(signal, move);
        await clock.sleep(pause, signal);
      }
    },
  };
}

/** Bytes that this process took in and that the measurement has not reached: under way, ended lately, and ended before the last look. */
function createUnmeasured(besideText: number) {
  const underWay = addUp([]);
  let recent = addUp([]);
  let earlier = addUp([]);
  return {
    bytes: (of: (totals: Totals) => number) => of(underWay) + of(recent) + of(earlier),
    begin(publisher: string, textBytes: number) {
      add(underWay, publisher, textBytes);
      return {
        settle({ accepted, duplicates }: Settled = { accepted: 0, duplicates: 0 }) {
          add(underWay, publisher, -textBytes);
          if (accepted === 0) return;
          const text = Math.ceil((textBytes * accepted) / (accepted + duplicates));
          add(recent, publisher, text + accepted * besideText);
        },
      };
    },
    /**
     * Forgets what a measurement reaches. What ended before it began is stored at positions up to the end that it
     * reads, which the next measurement reaches.
     */
    async during(measure: () => Promise<void>) {
      const ended = recent;
      recent = addUp([]);
      try {
        await measure();
        earlier = ended;
      } catch (error) {
        for (const [publisher, bytes] of ended.of) add(recent, publisher, bytes);
        throw error;
      }
    },
  };
}

function add(to: Totals, share: string, amount: number): void {
  to.all += amount;
  const total = (to.of.get(share) ?? 0) + amount;
  if (total === 0) to.of.delete(share);
  else to.of.set(share, total);
}

/**
 * Whose share a publisher uses: its account, so that no number of clients gives one person more than one (F87). An
 * account stays what it is.
 */
function shareOf(publisher: string): string {
  if (publisher.startsWith('users/') || publisher.startsWith('clients/')) return publisher;
  return accountOfPrincipal(publisher) ?? '';
}

/** Of all publishers together, and of each account. */
type Totals = { all: number; readonly of: Map<string, number> };

type Stretch = {
  readonly after: number;
  readonly through: number;
  readonly bytes: ReadonlyMap<string, number>;
};

function addUp(volumes: readonly ReadonlyMap<string, number>[]): Totals {
  const totals: Totals = { all: 0, of: new Map() };
  for (const [publisher, bytes] of volumes.flatMap((volume) => [...volume])) {
    add(totals, shareOf(publisher), bytes);
  }
  return totals;
}

function full(whose: string, bytes: number): EventsError {
  const limit = String(bytes);
  return new EventsError(
    'RESOURCE_EXHAUSTED',
    `The events of ${whose} fill the ${limit} bytes that are kept for them: publish again when older ones have been removed, or ask the operator to raise TRADEWIND_EVENT_STORAGE.`,
    { reason: 'EVENT_STORAGE_FULL', metadata: { limit, whose }, retryAfterSeconds },
  );
}

function behind(): EventsError {
  const limit = String(mostWaiting);
  return new EventsError(
    'RESOURCE_EXHAUSTED',
    `${limit} publications of this publisher wait to be queued for their many subscriptions: publish again in some seconds, when fewer wait, or for fewer subscriptions.`,
    { reason: 'PUBLICATIONS_WAITING', metadata: { limit }, retryAfterSeconds: pause / 1_000 },
  );
}
