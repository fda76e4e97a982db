import { onAbort } from './on-abort.ts';

/** A signal of its own for one piece of work. */
export type LinkedSignal = {
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
