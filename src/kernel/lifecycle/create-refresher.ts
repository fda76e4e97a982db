import type { Clock } from '../time/clock.ts';
import { createAlarm } from './alarm.ts';
import { patienceWithWorker, type Worker } from './worker.ts';

export type RefresherOptions = {
  readonly name: string;
  readonly clock: Clock;
  /** The longest time between two readings, in milliseconds: as far behind it may be where a wake was lost. */
  readonly pause: number;
  /** Calls back when something may be new. What it answers ends that. */
  listen(wake: () => void): Promise<() => Promise<void>>;
  refresh(): Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

/**
 * Makes a worker that keeps what a process remembers of the database up to date: it reads at once, at every wake and
 * after each pause. A failed reading is reported and repeated with the next.
 */
export function createRefresher(options: RefresherOptions): Worker {
  const { name, clock, pause, listen, refresh, onFailure } = options;
  return {
    name,
    movesWithin: pause + patienceWithWorker,
    async run(signal, move = () => {}) {
      const alarm = createAlarm(clock);
      const unlisten = await listen(alarm.ring);
      while (!signal.aborted) {
        move();
        await refresh().catch(onFailure);
        await alarm.sleep(pause, signal);
      }
      await unlisten();
    },
  };
}
