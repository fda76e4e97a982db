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

/** Runs `work` for everybody: what several callers share must not end when the first of them leaves. */
export function onBehalfOfAll<T>(work: () => T): T {
  return callers.run(nobody, work);
}

/**
 * Who the running work is for. A queue asks this when work comes in, and the answer when its turn comes. What a caller
 * has spent is judged by it too: one who has left did not get an answer, so nothing was taken by it.
 */
export function callerHasLeft(): HasLeft {
  return callers.getStore() ?? nobody;
}
