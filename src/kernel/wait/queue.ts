import { onAbort } from './cancel.ts';

export type QueueOptions = {
  /** If it fires before the turn of the work, the work leaves the queue at once and is not started. */
  readonly signal?: AbortSignal | undefined;
  /** The caller. Callers take turns, so that nobody waits behind the many requests of another. */
  readonly key?: string | undefined;
  /** Waits until nobody else does. */
  readonly isLast?: boolean;
};

/** Lets a bounded number in at a time; the others wait, first come first served for each key. */
export type Queue = {
  /** How many may be inside. Those who wait enter when it grows. */
  places: number;
  /** How many are inside. */
  readonly inside: number;
  /** How many wait. */
  readonly waiting: number;
  /** How many of one key wait. */
  waitingOf(key: string): number;
  /**
   * Enters at once, or when the turn comes, and returns how to leave. Rejects with the signal's reason if that
   * fires before.
   */
  enter(options?: QueueOptions): Leave | Promise<Leave>;
  /** Runs the work inside. */
  pass<T>(work: () => Promise<T>, options?: QueueOptions): Promise<T>;
};

/** Call it once. */
export type Leave = () => void;

export function createQueue(initialPlaces: number): Queue {
  let places = initialPlaces;
  let inside = 0;
  const ordinary: Line = { length: 0, byKey: new Map() };
  const last: Line = { length: 0, byKey: new Map() };

  /** Those who hand over their place do not let it go before, or a newcomer could take it. */
  function letIn(): void {
    while (inside < places) {
      const enter = takeNext(ordinary) ?? takeNext(last);
      if (enter === undefined) return;
      inside += 1;
      enter();
    }
  }
  const leave = (): void => {
    inside -= 1;
    letIn();
  };

  const turn = ({ signal, key = '', isLast = false }: QueueOptions): Promise<Leave> =>
    new Promise((resolve, reject) => {
      const line = isLast ? last : ordinary;
      const enter = () => {
        stopListening?.();
        resolve(leave);
      };
      stand(line, key, enter);
      const giveUp = () => {
        stepOut(line, key, enter);
        reject(signal?.reason);
      };
      const stopListening = signal && onAbort(signal, giveUp);
    });

  const queue: Queue = {
    get places() {
      return places;
    },
    set places(count) {
      places = count;
      letIn();
    },
    get inside() {
      return inside;
    },
    get waiting() {
      return ordinary.length + last.length;
    },
    waitingOf: (key) => (ordinary.byKey.get(key)?.size ?? 0) + (last.byKey.get(key)?.size ?? 0),
    enter(options = {}) {
      options.signal?.throwIfAborted();
      if (inside >= places) return turn(options);
      inside += 1;
      return leave;
    },
    async pass(work, options) {
      const entered = queue.enter(options);
      if (typeof entered !== 'function') await entered;
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
  return queue;
}

/** Those who wait, by their keys, of which the first has the next turn. */
type Line = { length: number; readonly byKey: Map<string, Set<() => void>> };

function stand(line: Line, key: string, enter: () => void): void {
  const own = line.byKey.get(key);
  if (own === undefined) line.byKey.set(key, new Set([enter]));
  else own.add(enter);
  line.length += 1;
}

function stepOut(line: Line, key: string, enter: () => void): void {
  const own = line.byKey.get(key);
  if (!own?.delete(enter)) return;
  line.length -= 1;
  if (own.size === 0) line.byKey.delete(key);
}

/** Takes out who is next. */
function takeNext(line: Line): (() => void) | undefined {
  const [first] = line.byKey;
  if (first === undefined) return undefined;
  const [key, own] = first;
  const [enter] = own;
  if (enter === undefined) return undefined;
  stepOut(line, key, enter);
  // The rest of this key's line goes behind all other keys.
  if (line.byKey.delete(key)) line.byKey.set(key, own);
  return enter;
}

/** Runs the work of one key one piece at a time, in order of arrival, and that of others side by side. */
export type KeyedQueue = {
  /** How many run or wait. */
  readonly size: number;
  pass<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when fewer than this many run or wait: 1 for none. For one who waits at a time. */
  whenFewerThan(count: number): Promise<void>;
};

export function createKeyedQueue(): KeyedQueue {
  const queues = new Map<string, Queue>();
  let size = 0;
  let watched: { readonly count: number; tell(): void } | undefined;

  return {
    get size() {
      return size;
    },
    async pass(key, work) {
      const queue = queues.get(key) ?? createQueue(1);
      queues.set(key, queue);
      size += 1;
      try {
        return await queue.pass(work);
      } finally {
        size -= 1;
        if (queue.inside === 0) queues.delete(key);
        if (watched !== undefined && size < watched.count) watched.tell();
      }
    },
    whenFewerThan: (count) =>
      new Promise((tell) => {
        if (size < count) tell();
        else watched = { count, tell };
      }),
  };
}
