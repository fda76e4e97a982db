import { onBehalfOf } from '../cancel/presence.ts';
import { inSpan } from '../trace/current-span.ts';
import type { RequestContext } from './mount/request-context.ts';

/**
 * Runs the work of a request on behalf of its caller. Once the answer is made the caller counts as
 * present for ever: what goes on after it, such as a long-running operation, was promised by it.
 */
export async function untilAnswered<T>(
  { request: { isAborted }, span }: Pick<RequestContext, 'request' | 'span'>,
  work: () => Promise<T>,
): Promise<T> {
  let isAnswered = false;
  try {
    return await inSpan(span, () => onBehalfOf(() => !isAnswered && isAborted(), work));
  } finally {
    isAnswered = true;
  }
}
