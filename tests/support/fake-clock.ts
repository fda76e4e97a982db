import type { Clock } from '../../src/kernel/clock.ts';

/** A clock that stands still until it is told to go on. */
export type FakeClock = Clock & {
  /** Moves the time forward and ends the sleeps that are due by then. */
  advance(milliseconds: number): void;
  /** Resolves as soon as somebody sleeps. */
  whenAsleep(): Promise<void>;
};

export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  const sleepers = new Set<{ readonly until: number; wake(): void }>();
  let watchers: Array<() => void> = [];

  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || milliseconds <= 0) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { until: now + milliseconds, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
        for (const tell of watchers) tell();
        watchers = [];
      }),
    advance(milliseconds) {
      now += milliseconds;
      for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake();
    },
    whenAsleep: () =>
      new Promise((resolve) => {
        if (sleepers.size > 0) resolve();
        else watchers.push(resolve);
      }),
  };
}
