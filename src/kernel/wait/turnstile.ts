import { onAbort } from './cancel.ts';

type PassOptions = {
  /** If it fires before the turn of the work, the work leaves the queue at once and is not started. */
  readonly signal?: AbortSignal | undefined;
  /** The caller. Callers take turns, so that nobody waits behind the many requests of another. */
  readonly key?: string | undefined;
};

/** Runs a bounded number of tasks at a time; the others wait, first come first served for each key. */
export type Turnstile = {
  /** How many wait. */
  readonly waiting: number;
  /** How many of one key wait. */
  waitingOf(key: string): number;
  /** Runs the work when its turn comes. Rejects with the signal's reason if that fires before. */
  pass<T>(work: () => Promise<T>, options?: PassOptions): Promise<T>;
};

export function createTurnstile(places: number): Turnstile {
  let free = places;
  let waiting = 0;
  /** The first key has the next turn. */
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
    // The rest of this key's queue goes behind all other keys.
    if (queues.delete(key)) queues.set(key, queue);
    enter();
  }

  return {
    get waiting() {
      return waiting;
    },
    waitingOf: (key) => queues.get(key)?.size ?? 0,
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
