import type { Queries } from '../../kernel/database/database.ts';
import { patienceWithWorker, type Worker } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { eventsLimits } from '../limits.ts';
import { EventsError } from '../model/events-error.ts';
import { countFanOuts } from '../store/queue/fan-out-store.ts';
import {
  addDeliveries,
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
  /** Counts deliveries of a publisher that are queued by this process. */
  noteDeliveries(publisher: string, deliveries: number): void;
  /** Measures what was stored since, some seconds late. */
  readonly worker: Worker;
};

export type StorageMeterOptions = {
  readonly database: Queries;
  readonly clock: Clock;
  readonly settings: {
    /** Bytes of events of all publishers. */
    readonly eventStorage: number;
    /** How long events are kept, in milliseconds. */
    readonly eventRetention: number;
  };
  onFailure?(error: unknown): void;
};

/** The share of the storage that one publisher may fill, so that none of them locks out the others. */
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
 * that retention has pruned are dropped. So publishing writes nothing for the meter. Events published since the last
 * measurement, some ten seconds, are not counted yet; the quota of each publisher bounds them (F8). Events that the
 * server publishes itself are never refused.
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
  let queued = new Map<string, number>();
  let waiting: ReadonlyMap<string, number> = new Map();
  /** What was the highest position a while ago: everything up to it is committed or never will be. */
  let settled = 0;

  const noteDeliveries = (publisher: string, deliveries: number) => {
    queued.set(publisher, (queued.get(publisher) ?? 0) + deliveries);
  };

  const countDeliveries = async (): Promise<ReadonlyMap<string, number>> => {
    const now = clock.now();
    const part = Math.ceil(eventRetention / partsOfRetention);
    const goneAt = Math.ceil((now + eventRetention) / part) * part;
    const taken = queued;
    queued = new Map();
    try {
      await addDeliveries(database, taken, goneAt);
    } catch (error) {
      for (const [publisher, deliveries] of taken) noteDeliveries(publisher, deliveries);
      throw error;
    }
    await pruneDeliveryCounts(database, now);
    return measureDeliveries(database, now);
  };

  const measure = async (signal: AbortSignal, move: () => void): Promise<void> => {
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
    waiting = await countFanOuts(database);
  };

  return {
    noteDeliveries,
    requireRoom(publisher) {
      if (totals.all >= eventStorage) throw full('all publishers', eventStorage);
      const share = eventStorage * shareOfPublisher;
      if ((totals.of.get(publisher) ?? 0) >= share) throw full('one publisher', share);
      const isBehind = (waiting.get(publisher) ?? 0) >= mostWaiting;
      if (isBehind) throw behind();
    },
    worker: {
      name: 'events-storage-meter',
      movesWithin: pause + patienceWithWorker,
      async run(signal, move = () => {}) {
        while (!signal.aborted) {
          move();
          await measure(signal, move).catch(onFailure);
          await clock.sleep(pause, signal);
        }
      },
    },
  };
}

type Stretch = {
  readonly after: number;
  readonly through: number;
  readonly bytes: ReadonlyMap<string, number>;
};

function addUp(volumes: readonly ReadonlyMap<string, number>[]) {
  let all = 0;
  const of = new Map<string, number>();
  for (const [publisher, bytes] of volumes.flatMap((volume) => [...volume])) {
    all += bytes;
    of.set(publisher, (of.get(publisher) ?? 0) + bytes);
  }
  return { all, of };
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
