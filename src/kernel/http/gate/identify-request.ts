import { drawHex } from '../../random/draw-text.ts';
import type { Random } from '../../random/random.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/** What a caller may choose as an id: short, and unable to break out of a log line or a header. */
const acceptableId = /^[\w.-]{1,64}$/;

/**
 * Gives every request an id: the caller's `X-Request-Id` if it is acceptable, else one of ours. Ours
 * are a counter after a random name of this process: unique, but not secret.
 */
export function identifyRequest(random: Random): (request: Pick<EdgeRequest, 'header'>) => string {
  const processName = drawHex(random, 8);
  let count = 0;
  return (request) => {
    const offered = request.header('x-request-id');
    const isAcceptable = offered !== undefined && acceptableId.test(offered);
    return isAcceptable ? offered : `${processName}-${++count}`;
  };
}
