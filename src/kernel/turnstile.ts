import { onAbort } from './cancel/on-abort.ts';

/** Lets so many through at a time; the others wait, first come first served. */
export type Turnstile = {
  /** How many wait. */
  readonly waiting: number;
  /**
   * Runs the work when its turn comes. Whoever gives up before that leaves the queue at once: it rejects
   * with the signal's reason, and the work is not begun.
   */
  pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

export function createTurnstile(places: number): Turnstile {
  let free = places;
  const queue = new Set<() => void>();

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        stopListening?.();
        resolve();
      };
      queue.add(enter);
      const stopListening =
        signal &&
        onAbort(signal, () => {
          queue.delete(enter);
          reject(signal.reason);
        });
    });
  }

  return {
    get waiting() {
      return queue.size;
    },
    async pass(work, signal) {
      signal?.throwIfAborted();
      if (free > 0) free -= 1;
      else await turn(signal);
      try {
        return await work();
      } finally {
        const [next] = queue;
        if (next) {
          queue.delete(next);
          next();
        } else free += 1;
      }
    },
  };
}
