import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { EdgeError } from '../messages/edge-error.ts';
import type { EdgeRequest } from '../messages/edge-request.ts';

/**
 * Whether a request declares a body of at most this size, or has none. Its length is believed, since
 * Node.js ends the body there.
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
 * Refuses bodies above a size. One that is declared within it stays untouched, which keeps the
 * adapter's quick way of reading it. A body of undeclared length is counted as it comes. What is left
 * of a refused body the adapter reads and drops for half a second, so that the caller sees the
 * answer, and then cuts the connection. Throws `PAYLOAD_TOO_LARGE`.
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
