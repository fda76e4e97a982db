import { onAbort } from '../cancel/on-abort.ts';

/** Where time comes from. Everything that reads the time or waits receives one of these. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some moment. Monotonic, unlike `now`, which can be set back: for deadlines and durations. */
  elapsed(): number;
  /** Resolves after `milliseconds` (at once if they are below 0), or as soon as the signal fires; it never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Resolves in the next turn of the event loop, after all work that the I/O of this one has started. */
  turn(): Promise<void>;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        stopListening?.();
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, milliseconds));
      const stopListening = signal && onAbort(signal, done);
    }),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};
