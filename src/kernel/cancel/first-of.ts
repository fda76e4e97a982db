import { linkSignals } from './link-signals.ts';
import { orAborted } from './or-aborted.ts';

/** Given as the reason, since an error would be made for a signal without one. */
const decided = 'decided';

/**
 * Begins all and settles as the first of them does; then it fires the signal of the others. If the given signal
 * fires before, it rejects with that signal's reason, even if no work reacts to it.
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
