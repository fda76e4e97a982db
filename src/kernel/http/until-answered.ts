import { onBehalfOf } from '../cancel/presence.ts';
import type { EdgeRequest } from './edge-request.ts';

/**
 * Runs the work of a request on behalf of its caller. Once the answer is made the caller counts as
 * present for ever: what goes on after it, such as a long-running operation, was promised by it.
 */
export async function untilAnswered<T>(
  { isAborted }: Pick<EdgeRequest, 'isAborted'>,
  work: () => Promise<T>,
): Promise<T> {
  let isAnswered = false;
  try {
    return await onBehalfOf(() => !isAnswered && isAborted(), work);
  } finally {
    isAnswered = true;
  }
}
