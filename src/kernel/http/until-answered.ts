import { onBehalfOf } from '../cancel/presence.ts';
import { inSpan } from '../trace/current-span.ts';
import type { RequestContext } from './mount/request-context.ts';

/**
 * Runs the work of a request on behalf of its caller. Once the request is answered, the caller always
 * counts as present: the answer has promised the work that continues, such as a long-running operation.
 */
export function untilAnswered<T>(context: RequestContext, work: () => T): T {
  const { request, span } = context;
  const hasLeft = () => !context.isAnswered && request.isAborted();
  return inSpan(span, () => onBehalfOf(hasLeft, work));
}
