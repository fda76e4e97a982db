import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { EdgeError } from './edge-error.ts';

/**
 * Refuses bodies above a size. A declared length is judged by its header alone, since Node.js ends
 * the body there; that leaves the body untouched, which keeps the adapter's quick way of reading it.
 * A body of undeclared length is counted as it comes. Throws `PAYLOAD_TOO_LARGE`.
 */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const refuse = (): never => {
    throw new EdgeError(
      'PAYLOAD_TOO_LARGE',
      `The body is larger than the ${maxBytes} bytes this path accepts: send less, or split it over several requests.`,
      { details: { maxBytes } },
    );
  };
  const countBytes = bodyLimit({ maxSize: maxBytes, onError: refuse });
  return async (c, next) => {
    const length = c.req.header('content-length');
    if (length !== undefined && Number(length) > maxBytes) refuse();
    const isDeclared = length !== undefined && c.req.header('transfer-encoding') === undefined;
    const hasNone = c.req.method === 'GET' || c.req.method === 'HEAD';
    return isDeclared || hasNone ? next() : countBytes(c, next);
  };
}
