import { orAborted } from './or-aborted.ts';
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
