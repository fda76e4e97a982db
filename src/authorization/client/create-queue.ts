import { orAborted } from '../../kernel/cancel/or-aborted.ts';

/**
 * Runs pieces of work one after another, in the order that they came; one that fails stops none. Whoever
 * stops waiting is answered at once, and its work is not begun.
 */
export type Queue = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    const turn = last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    last = turn.catch(() => {});
    return orAborted(turn, signal);
  };
}
