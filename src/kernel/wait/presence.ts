import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether a caller has left without waiting for the answer. */
export type HasLeft = () => boolean;

const nobody: HasLeft = () => false;
const callers = new AsyncLocalStorage<HasLeft>();

/**
 * Runs `work` on behalf of a caller who may leave. The queues in which that work waits ask {@link callerHasLeft}
 * when its turn comes, so that no work is done for callers who have left.
 */
export function onBehalfOf<T>(hasLeft: HasLeft, work: () => T): T {
  return callers.run(hasLeft, work);
}

/** Runs `work` on behalf of nobody in particular: shared work must not end when its first caller leaves. */
export function onBehalfOfAll<T>(work: () => T): T {
  return callers.run(nobody, work);
}

/**
 * Returns the {@link HasLeft} of the caller that the running work is for. A queue gets it when work comes in, and
 * calls it when the turn of the work comes. Reuse detection of codes and tokens calls it too: a caller who left got no
 * answer, so nothing was taken.
 */
export function callerHasLeft(): HasLeft {
  return callers.getStore() ?? nobody;
}
