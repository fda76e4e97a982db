import type { Database, Transaction } from '../../kernel/database/database.ts';
import { patienceWithWorker, type Worker } from '../../kernel/process/worker.ts';
import { createAlarm } from '../../kernel/wait/alarm.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { EventVisibility } from '../model/caller.ts';
import type { Deliverer } from '../store/lanes/lane-notices.ts';
import {
  advanceFanOut,
  type FanOut,
  fanOutChannel,
  removeFanOut,
  takeNextFanOut,
} from '../store/queue/fan-out-store.ts';
import {
  appendToLanes,
  type Match,
  matchLanes,
  type QueueEntry,
} from '../store/queue/queue-store.ts';
import type { StorageMeter } from './create-storage-meter.ts';
import { indexMatches, matchKeysOf } from './index-matches.ts';

export type FanOutWorkerOptions = {
  readonly database: Database;
  readonly visibility: EventVisibility;
  readonly clock: Clock;
  readonly deliverer: Deliverer;
  readonly storage: Pick<StorageMeter, 'noteDeliveries'>;
  onFailure?(error: unknown): void;
};

/**
 * How many deliveries one transaction appends to all lanes together. Other publishers wait no longer than one such
 * transaction takes.
 */
const deliveriesAtOnce = 1_000;
/** Milliseconds after which the worker looks by itself, since a notification may be lost. */
const pauseBetweenLooks = 5_000;

/**
 * The worker that queues publications with many subscriptions, after their publisher was answered. It serves the
 * publishers in turn, takes the publications of each in order, and goes through the lanes in order. A lock on the first
 * publication of a publisher admits one process at a time. Each step stores its progress, so that a crash neither loses
 * nor repeats an event. While a publication waits, later ones of its publisher queue behind it: so the events of a
 * publisher stay in order in every lane, and no publisher waits for everything that another has published.
 */
export function createFanOutWorker(options: FanOutWorkerOptions): Worker {
  const { database, visibility, clock, deliverer, storage, onFailure = () => {} } = options;

  let lastPublisher = '';

  /** Returns whether there may be more to do. */
  const step = async (): Promise<boolean> => {
    const next = await database.transaction(async (tx) => {
      const taken = await takeNextFanOut(tx, lastPublisher);
      const queued = taken?.fanOut === undefined ? 0 : await advance(tx, taken.fanOut);
      return taken && { ...taken, queued };
    });
    lastPublisher = next?.publisher ?? '';
    if (next?.fanOut === undefined) return false;
    storage.noteDeliveries(next.publisher, next.queued);
    return true;
  };

  /** Returns how many deliveries it has queued. */
  const advance = async (tx: Transaction, fanOut: FanOut): Promise<number> => {
    const { events } = fanOut;
    const keys = matchKeysOf(events);
    // Each key finds a lane at most once. A lane's matches are complete if another lane follows.
    const limit = Math.ceil(deliveriesAtOnce / events.length) + keys.length;
    const matches = await matchLanes(tx, keys, { ...fanOut, limit });
    const isLast = matches.length < limit;
    const { whole, after } = isLast ? { whole: matches, after: fanOut.through } : cut(matches);
    const lanesOf = indexMatches(whole, visibility);
    const queued = new Map<number, QueueEntry[]>();
    for (const addressed of events) {
      const entry = { event: addressed.position, createdAt: clock.now() };
      for (const lane of lanesOf(addressed).keys()) {
        const others = queued.get(lane);
        if (others === undefined) queued.set(lane, [entry]);
        else others.push(entry);
      }
    }
    await appendToLanes(tx, queued, { now: clock.now(), deliverer });
    if (isLast) await removeFanOut(tx, fanOut);
    else await advanceFanOut(tx, fanOut, after);
    return [...queued.values()].flat().length;
  };

  return {
    name: 'events-fan-out',
    movesWithin: pauseBetweenLooks + patienceWithWorker,
    async run(signal, move = () => {}) {
      const alarm = createAlarm(clock);
      const unlisten = await database.listen(fanOutChannel, alarm.ring);
      while (!signal.aborted) {
        let isMore = false;
        try {
          isMore = await step();
          move();
        } catch (error) {
          onFailure(error);
        }
        if (!isMore) await alarm.sleep(pauseBetweenLooks, signal);
      }
      await unlisten();
    },
  };
}

/** Leaves out the last lane, some of whose matches may be missing. */
function cut(matches: readonly Match[]): { whole: readonly Match[]; after: number } {
  const last = matches.at(-1)?.lane;
  const whole = matches.filter(({ lane }) => lane !== last);
  return { whole, after: whole.at(-1)?.lane ?? 0 };
}
