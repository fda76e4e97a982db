import type { Database } from '../../kernel/database/database.ts';
import { createAlarm } from '../../kernel/lifecycle/alarm.ts';
import { patienceWithWorker, type Worker } from '../../kernel/lifecycle/worker.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Deliverer } from '../store/lanes/lane-notices.ts';
import {
  advanceFanOut,
  fanOutChannel,
  removeFanOut,
  takeFirstFanOut,
} from '../store/queue/fan-out-store.ts';
import {
  appendToLanes,
  type Match,
  matchLanes,
  type QueueEntry,
} from '../store/queue/queue-store.ts';
import { type EventVisibility, indexMatches, matchKeysOf } from './index-matches.ts';

export type FanOutWorkerOptions = {
  readonly database: Database;
  readonly visibility: EventVisibility;
  readonly clock: Clock;
  readonly deliverer: Deliverer;
  onFailure?(error: unknown): void;
};

/** Lanes that one transaction appends to: what others publish waits no longer than that takes. */
const lanesAtOnce = 1_000;
/** Milliseconds after which it is looked without a notification, which may be lost. */
const pauseBetweenLooks = 5_000;

/**
 * The worker that queues what has many subscriptions, after its publisher was answered. It takes the publications
 * in their order, one process at a time by the lock of the first, and the lanes of each in theirs; with each
 * step it is written how far it came, so that a crash neither loses nor repeats an event. While one waits,
 * whatever is published goes behind it: so the events of a publisher stay in order in every lane.
 */
export function createFanOutWorker(options: FanOutWorkerOptions): Worker {
  const { database, visibility, clock, deliverer, onFailure = () => {} } = options;

  /** Returns whether there may be more to do. */
  const step = (): Promise<boolean> =>
    database.transaction(async (tx) => {
      const fanOut = await takeFirstFanOut(tx);
      if (fanOut === undefined) return false;
      const { events } = fanOut;
      const keys = matchKeysOf(events);
      // A lane is found by each of the keys at most, and is whole where another comes after it.
      const limit = lanesAtOnce + keys.length;
      const matches = await matchLanes(tx, keys, { ...fanOut, limit });
      const isLast = matches.length < limit;
      const { whole, after } = isLast ? { whole: matches, after: fanOut.through } : cut(matches);
      const lanesOf = indexMatches(whole, visibility);
      const queued = new Map<number, QueueEntry[]>();
      for (const addressed of events) {
        const entry = { event: addressed.position, createdAt: clock.now() };
        for (const lane of lanesOf(addressed).keys()) {
          queued.set(lane, [...(queued.get(lane) ?? []), entry]);
        }
      }
      await appendToLanes(tx, queued, { now: clock.now(), deliverer });
      if (isLast) await removeFanOut(tx, fanOut);
      else await advanceFanOut(tx, fanOut, after);
      return true;
    });

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

/** Without the last lane, of which some matches may not be there. */
function cut(matches: readonly Match[]): { whole: readonly Match[]; after: number } {
  const last = matches.at(-1)?.lane;
  const whole = matches.filter(({ lane }) => lane !== last);
  return { whole, after: whole.at(-1)?.lane ?? 0 };
}
