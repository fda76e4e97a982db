import type { Clock } from '../time/clock.ts';
import { createAlarm } from './alarm.ts';
import { patienceWithWorker, type Worker } from './worker.ts';

export type RefresherOptions = {
  readonly name: string;
  readonly clock: Clock;
  /** The longest time between two reads, in milliseconds: how stale the data may get if a wake is lost. */
  readonly pause: number;
  /** Calls `wake` when something may have changed. The returned function stops that. */
  listen(wake: () => void): Promise<() => Promise<void>>;
  refresh(): Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

/**
 * Makes a worker that keeps a process's copy of data in the database up to date: it reads at once, at every wake and
 * after each pause. A failed read is reported; the next one makes up for it.
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
