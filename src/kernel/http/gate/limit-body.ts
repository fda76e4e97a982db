import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { EdgeError } from '../messages/edge-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/**
 * Whether a request declares a body of at most this size, or has none. The declared length is
 * trusted, since Node.js ends the body there.
 */
export function isBodyWithin(
  request: Pick<EdgeRequest, 'method' | 'header'>,
  maxBytes: number,
): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const length = request.header('content-length');
  if (length === undefined || request.header('transfer-encoding') !== undefined) return false;
  return Number(length) <= maxBytes;
}

/**
 * Refuses bodies above a size. A body whose declared length is within it stays untouched, so that the
 * adapter can read it the fast way. A body of undeclared length is counted as it arrives. The adapter
 * reads and drops the rest of a refused body for half a second, so that the caller sees the answer,
 * and then closes the connection. Throws `PAYLOAD_TOO_LARGE`.
 */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const countBytes = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new EdgeError(
        'PAYLOAD_TOO_LARGE',
        `The body is larger than the ${maxBytes} bytes this path accepts: send less, or split it over several requests.`,
        { details: { maxBytes } },
      );
    },
  });
  return (c, next) => (isBodyWithin(c.req, maxBytes) ? next() : countBytes(c, next));
}
