import { orAborted } from '../../kernel/cancel/or-aborted.ts';

/**
 * Runs pieces of work one after another, in order of arrival; a failure does not stop the others. A caller that
 * stops waiting is rejected at once, and its work is not begun.
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
