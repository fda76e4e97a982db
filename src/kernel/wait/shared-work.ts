import { orAborted } from './cancel.ts';
import { onBehalfOfAll } from './presence.ts';

/** One piece of work that several callers wait for. */
export type SharedWork<T> = {
  /** Whether it was aborted because nobody waited any more: the next caller must start it again. */
  readonly isAbandoned: boolean;
  /** Waits for the result. Rejects with the signal's reason if that fires; other callers go on waiting. */
  join(signal?: AbortSignal): Promise<T>;
};

/** A reason for `abort`, which would create an error without one. */
const nobodyWaits = 'nobody waits';

/**
 * Begins work that others join. Its signal fires once everybody who waited has left, so that no work is done for
 * callers who have left [N9]. A failure rejects only for callers who joined.
 */
export function shareWork<T>(work: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  const abandoned = new AbortController();
  let waiting = 0;
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  const result = onBehalfOfAll(() => work(abandoned.signal));
  result.then(settle, settle);
  return {
    get isAbandoned() {
      return abandoned.signal.aborted;
    },
    async join(signal) {
      waiting += 1;
      try {
        return await orAborted(result, signal);
      } finally {
        waiting -= 1;
        if (waiting === 0 && !isSettled) abandoned.abort(nobodyWaits);
      }
    },
  };
}

/**
 * Lets concurrent callers share a read, but never returns what was read before the call: callers who come while a
 * read is running share the next one. So any number of callers notified of a change cause at most two reads.
 */
export function shareNext<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;

  const begin = (): Promise<T> => {
    const reading = onBehalfOfAll(read);
    const over = () => {
      if (running === settled) running = undefined;
    };
    const settled: Promise<unknown> = reading.then(over, over);
    running = settled;
    return reading;
  };

  return () => {
    if (running === undefined) return begin();
    next ??= running.then(() => {
      next = undefined;
      return begin();
    });
    return next;
  };
}
