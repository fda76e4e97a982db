import type { Clock } from './clock.ts';

/**
 * What the promise settles with, or what `late` answers or throws once the time is over. Work that is
 * late goes on by itself; where it can be ended, {@link withDeadline} ends it.
 */
export async function orLate<T, L>(
  promise: Promise<T>,
  options: { readonly clock: Clock; readonly milliseconds: number; late(): L },
): Promise<T | L> {
  const { clock, milliseconds, late } = options;
  const settled = new AbortController();
  const never = new Promise<never>(() => {});
  const tooLate = clock
    .sleep(milliseconds, settled.signal)
    .then(() => (settled.signal.aborted ? never : late()));
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    settled.abort('settled');
  }
}
