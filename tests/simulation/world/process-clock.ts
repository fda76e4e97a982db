import type { Clock } from '../../../src/kernel/wait/clock.ts';
import type { Process, Scheduler } from './scheduler.ts';

/** The clock of one process. */
export type ProcessClock = Clock & {
  /** Sets the time of day. Elapsed time and sleeps are not affected. */
  set(offset: number): void;
};

const beginning = Date.UTC(2026, 0, 1);

export function createProcessClock(scheduler: Scheduler, process: Process, skew = 0): ProcessClock {
  let offset = skew;

  return {
    now: () => beginning + Math.floor(scheduler.now() + offset),
    elapsed: () => scheduler.now(),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = () => {
          cancel();
          signal?.removeEventListener('abort', done);
          resolve();
        };
        // Like the timers of Node.js, which last at least 1 ms.
        const cancel = scheduler.after(Math.max(1, milliseconds), done, process);
        signal?.addEventListener('abort', done, { once: true });
      }),
    turn: () => new Promise((resolve) => scheduler.after(0, resolve, process)),
    set(changed) {
      offset = skew + changed;
    },
  };
}
