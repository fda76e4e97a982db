import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';

/** A clock whose time changes only when a test changes it. */
export type FakeClock = Clock & {
  /** Moves the time forward and ends the sleeps that are due by then. */
  advance(milliseconds: number): void;
  /** Sets the time back, as an operator may. Elapsed time and sleeps are not affected. */
  setBack(milliseconds: number): void;
  /** Resolves as soon as this many sleeps are pending at once; one by default. */
  whenAsleep(count?: number): Promise<void>;
};

export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let [now, elapsed] = [start, 0];
  const sleepers = new Set<{ readonly until: number; wake(): void }>();
  const watchers = new Set<{ readonly count: number; tell(): void }>();

  return {
    now: () => now,
    elapsed: () => elapsed,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || milliseconds <= 0) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { until: elapsed + milliseconds, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
        for (const watcher of watchers) {
          if (watcher.count > sleepers.size) continue;
          watchers.delete(watcher);
          watcher.tell();
        }
      }),
    turn: systemClock.turn,
    advance(milliseconds) {
      now += milliseconds;
      elapsed += milliseconds;
      for (const sleeper of sleepers) if (sleeper.until <= elapsed) sleeper.wake();
    },
    setBack(milliseconds) {
      now -= milliseconds;
    },
    whenAsleep: (count = 1) =>
      new Promise((tell) => {
        if (sleepers.size >= count) tell();
        else watchers.add({ count, tell });
      }),
  };
}
