/**
 * Calls back once when the signal fires, or at once if it has fired: a listener would not be called any
 * more. The returned function removes the listener; call it when the wait is over, because a signal
 * that lives as long as the process keeps every listener that it was given.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

/**
 * Settles as the promise does, unless the signal fires before: then it rejects with the signal's reason at once,
 * and the promise is ignored. It cancels no work: the work itself must react to the signal. Leaves no listener
 * behind [F22].
 */
export async function orAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    stop();
  }
}

/** A signal of its own for one piece of work. */
type LinkedSignal = {
  /** Fires with the first of its sources, with the same reason, or when `abort` is called. */
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Removes the listeners from the sources; call it when the work is over. */
  release(): void;
};

/**
 * Joins signals for the duration of one piece of work. `AbortSignal.any` cannot be released: if a
 * source lives as long as the process, the joined signal stays until it is garbage collected.
 */
export function linkSignals(...sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const own = new AbortController();
  const stops: (() => void)[] = [];
  for (const source of sources) {
    if (source !== undefined) stops.push(onAbort(source, () => own.abort(source.reason)));
  }
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}

/** A reason for `abort`, which would create an error without one. */
const decided = 'decided';

/**
 * Starts all contenders, settles as the first of them does, and then aborts the others. If the given signal
 * fires before, rejects with its reason, even if no contender reacts to it.
 */
export async function firstOf<T>(
  contenders: readonly ((signal: AbortSignal) => Promise<T>)[],
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const race = linkSignals(signal);
  try {
    return await orAborted(Promise.race(contenders.map((begin) => begin(race.signal))), signal);
  } finally {
    race.release();
    race.abort(decided);
  }
}
