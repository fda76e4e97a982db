import { onAbort } from './on-abort.ts';

/** A signal of its own for one piece of work. */
export type LinkedSignal = {
  /** Fires with the first of its sources, for that one's reason, or when it is aborted. */
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Takes the listeners off the sources; to be called when the work is over. */
  release(): void;
};

/**
 * Joins signals for the duration of one piece of work. `AbortSignal.any` cannot be released: beside a
 * signal that lives as long as the process, what it has made stays until it is collected.
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
