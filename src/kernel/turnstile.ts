import { onAbort } from './cancel/on-abort.ts';

export type PassOptions = {
  /** Whoever gives up before its turn leaves the queue at once, and its work is not begun. */
  readonly signal?: AbortSignal | undefined;
  /** The caller. Callers take turns, so that nobody waits behind the many requests of another. */
  readonly key?: string | undefined;
};

/** Lets a bounded number through at a time; the others wait, first come first served for each key. */
export type Turnstile = {
  /** How many wait. */
  readonly waiting: number;
  /** Runs the work when its turn comes. Rejects with the signal's reason for one who gave up before. */
  pass<T>(work: () => Promise<T>, options?: PassOptions): Promise<T>;
};

export function createTurnstile(places: number): Turnstile {
  let free = places;
  let waiting = 0;
  /** The key whose turn it is stands first. */
  const queues = new Map<string, Set<() => void>>();

  function leave(key: string, enter: () => void): void {
    const queue = queues.get(key);
    if (!queue?.delete(enter)) return;
    waiting -= 1;
    if (queue.size === 0) queues.delete(key);
  }

  function turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        stopListening?.();
        resolve();
      };
      const queue = queues.get(key) ?? new Set();
      queues.set(key, queue.add(enter));
      waiting += 1;
      const giveUp = () => {
        leave(key, enter);
        reject(signal?.reason);
      };
      const stopListening = signal && onAbort(signal, giveUp);
    });
  }

  function letNextIn(): void {
    const [next] = queues;
    if (next === undefined) {
      free += 1;
      return;
    }
    const [key, queue] = next;
    const [enter] = queue;
    if (enter === undefined) return;
    leave(key, enter);
    // The others who wait for the same key come after everybody else.
    if (queues.delete(key)) queues.set(key, queue);
    enter();
  }

  return {
    get waiting() {
      return waiting;
    },
    async pass(work, { signal, key = '' } = {}) {
      signal?.throwIfAborted();
      if (free > 0) free -= 1;
      else await turn(key, signal);
      try {
        return await work();
      } finally {
        letNextIn();
      }
    },
  };
}
