import { linkSignals } from './link-signals.ts';
import { orAborted } from './or-aborted.ts';

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
