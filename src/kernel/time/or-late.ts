import type { Clock } from './clock.ts';

/**
 * Settles as the promise does, or as `late` does once the time is over. Late work goes on by itself;
 * for work that can be cancelled, use {@link withDeadline}.
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
