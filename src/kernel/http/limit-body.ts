import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { EdgeError } from './edge-error.ts';

/**
 * Refuses bodies above a size. A declared length within it is believed, since Node.js ends the body
 * there; the body stays untouched, which keeps the adapter's quick way of reading it. A body of
 * undeclared length is counted as it comes. What is left of a refused body the adapter reads and
 * drops for half a second, so that the caller sees the answer, and then cuts the connection.
 * Throws `PAYLOAD_TOO_LARGE`.
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
  return (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const length = c.req.header('content-length');
    const isDeclared = length !== undefined && c.req.header('transfer-encoding') === undefined;
    return isDeclared && Number(length) <= maxBytes ? next() : countBytes(c, next);
  };
}
