import type { Clock } from '../../kernel/clock.ts';

export type Timeout = {
  readonly clock: Clock;
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Runs `work` with a signal that fires after the time or with the signal handed in, whichever comes
 * first. It ends when `work` ends: work that ignores its signal is waited for.
 */
export async function withTimeout<T>(
  { clock, milliseconds, signal }: Timeout,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const tooLong = new AbortController();
  void clock.sleep(milliseconds, done.signal).then(() => tooLong.abort(new TimedOut()));
  try {
    return await work(signal ? AbortSignal.any([signal, tooLong.signal]) : tooLong.signal);
  } finally {
    done.abort();
  }
}

/** The reason of a signal that fired because time ran out. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}
