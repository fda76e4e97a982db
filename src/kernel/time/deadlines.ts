import { createBag, type Held } from '../collections/bag.ts';
import type { Clock } from './clock.ts';

export type Deadline = Held<{
  /** By the `elapsed` of the clock. */
  readonly at: number;
  pass(): void;
}>;

/** Watches many deadlines, nearly all of which are deleted before they pass. */
export type Deadlines = {
  /** Calls `pass` after so many milliseconds. */
  add(milliseconds: number, pass: () => void): Deadline;
  delete(deadline: Deadline): void;
};

/** A reason for `abort`, which would create an error without one. */
const woken = 'woken';

/**
 * Deadlines that share one sleep, until the earliest of them: a timer and a signal for each request
 * cost more than its answer. Once none are left, no sleep keeps the process running.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const watched = createBag<Deadline['item']>();
  let sleep: AbortController | undefined;
  let wakesAt = Infinity;
  let isLeaving = false;

  const watch = async (): Promise<void> => {
    while (watched.size > 0) {
      const sleeping = new AbortController();
      sleep = sleeping;
      wakesAt = Infinity;
      for (const { item } of watched.all()) wakesAt = Math.min(wakesAt, item.at);
      await clock.sleep(wakesAt - clock.elapsed(), sleeping.signal);
      if (sleeping.signal.aborted) continue;
      for (const deadline of watched.all()) {
        if (deadline.item.at <= wakesAt && watched.delete(deadline)) deadline.item.pass();
      }
    }
    sleep = undefined;
  };

  /** Not at once: after an answer the next request often follows, and waking costs as much as a timer. */
  const leaveWhenIdle = (): void => {
    if (isLeaving) return;
    isLeaving = true;
    void clock.turn().then(() => {
      isLeaving = false;
      if (watched.size === 0) sleep?.abort(woken);
    });
  };

  return {
    add(milliseconds, pass) {
      const at = clock.elapsed() + milliseconds;
      const deadline = watched.add({ at, pass });
      if (sleep === undefined) void watch();
      else if (at < wakesAt) sleep.abort(woken);
      return deadline;
    },
    delete(deadline) {
      watched.delete(deadline);
      if (watched.size === 0) leaveWhenIdle();
    },
  };
}
