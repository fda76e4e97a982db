import { createBag, type Held } from './bag.ts';
import { linkSignals, orAborted } from './cancel.ts';
import type { Clock } from './clock.ts';

type DeadlineOptions = {
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
} & (
  | { readonly clock: Clock }
  /** For frequent work: its deadlines share one sleep. */
  | { readonly deadlines: Deadlines }
);

/** The reason of a signal that fired because time ran out. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/**
 * Runs `work` with a signal that fires after the time, with a {@link TimedOut}, or with the signal handed
 * in, whichever comes first. Rejects with its reason as soon as it fires: work that ignores its signal
 * is not waited for.
 */
export async function withDeadline<T>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = linkSignals(options.signal);
  const takeBack = callLater(options, () =>
    own.abort(new TimedOut(`Not done within ${options.milliseconds} ms.`)),
  );
  try {
    own.signal.throwIfAborted();
    return await orAborted(work(own.signal), own.signal);
  } finally {
    takeBack();
    own.release();
  }
}

/** Calls back when the time is over, unless the returned function is called before. */
function callLater(options: DeadlineOptions, late: () => void): () => void {
  if ('deadlines' in options) {
    const { deadlines } = options;
    const deadline = deadlines.add(options.milliseconds, late);
    return () => deadlines.delete(deadline);
  }
  const done = new AbortController();
  void options.clock.sleep(options.milliseconds, done.signal).then(() => {
    if (!done.signal.aborted) late();
  });
  return () => done.abort('done');
}

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

/**
 * Settles as the promise does, or as `late` does once the time is over. Late work goes on by itself;
 * for work that can be cancelled, use {@link withDeadline}.
 */
export async function orLate<T, L>(
  promise: Promise<T>,
  options: { readonly clock: Clock; readonly milliseconds: number; late(): L },
): Promise<T | L> {
  const { clock, milliseconds, late } = options;
  const settled = new AbortController();
  const never = new Promise<never>(() => {});
  const tooLate = clock
    .sleep(milliseconds, settled.signal)
    .then(() => (settled.signal.aborted ? never : late()));
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    settled.abort('settled');
  }
}
