import { linkSignals } from '../cancel/link-signals.ts';
import { orAborted } from '../cancel/or-aborted.ts';
import type { Clock } from './clock.ts';

export type DeadlineOptions = {
  readonly clock: Clock;
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
};

/** The reason of a signal that fired because time ran out. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/**
 * Runs `work` with a signal that fires after the time, with a {@link TimedOut}, or with the signal handed
 * in, whichever comes first. Rejects with its reason as soon as it fires: work that ignores its signal
 * is not waited for.
 */
export async function withDeadline<T>(
  { clock, milliseconds, signal }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const own = linkSignals(signal);
  void clock.sleep(milliseconds, done.signal).then(() => {
    if (!done.signal.aborted) own.abort(new TimedOut(`Not done within ${milliseconds} ms.`));
  });
  try {
    own.signal.throwIfAborted();
    return await orAborted(work(own.signal), own.signal);
  } finally {
    done.abort('done');
    own.release();
  }
}
