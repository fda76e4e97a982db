import { linkSignals } from '../cancel/link-signals.ts';
import { orAborted } from '../cancel/or-aborted.ts';
import type { Clock } from './clock.ts';
import type { Deadlines } from './deadlines.ts';

export type DeadlineOptions = {
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
} & (
  | { readonly clock: Clock }
  /** For frequent work: its deadlines share one sleep. */
  | { readonly deadlines: Deadlines }
);

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
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = linkSignals(options.signal);
  const takeBack = callLater(options, () =>
    own.abort(new TimedOut(`Not done within ${options.milliseconds} ms.`)),
  );
  try {
    own.signal.throwIfAborted();
    return await orAborted(work(own.signal), own.signal);
  } finally {
    takeBack();
    own.release();
  }
}

/** Calls back when the time is over, unless the returned function is called before. */
function callLater(options: DeadlineOptions, late: () => void): () => void {
  if ('deadlines' in options) {
    const { deadlines } = options;
    const deadline = deadlines.add(options.milliseconds, late);
    return () => deadlines.delete(deadline);
  }
  const done = new AbortController();
  void options.clock.sleep(options.milliseconds, done.signal).then(() => {
    if (!done.signal.aborted) late();
  });
  return () => done.abort('done');
}
