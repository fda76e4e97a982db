import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createShares } from '../../wait/shares.ts';
import { EdgeError } from '../edge-error.ts';
import { edgeLimits } from '../limits.ts';
import type { RequestContext } from '../mount.ts';
import type { EdgeRequest } from '../request.ts';
import { ArrivingBodies } from './arriving-bodies.ts';

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

/** Seconds: most bodies arrive within one. */
const retryAfter = 1;

/**
 * Bounds the bytes of bodies that have not arrived yet (F40). For its caller a body counts with the length it declares, or with the
 * most that its path accepts; for all callers together with what has come of it (F78). It counts until all of it is there, it is
 * answered, or the caller has left. Throws `RATE_LIMITED` beyond the share of the caller.
 */
export function holdBodies(): (context: RequestContext) => void {
  const each = edgeLimits.bodyBytesOfCaller.value;
  const shares = createShares({ each, all: Number.POSITIVE_INFINITY });
  const bodies = new ArrivingBodies();
  return ({ request, caller, owned }) => {
    const bodyLimit = owned?.guard.bodyLimit ?? 0;
    const bytes = bytesOf(request, bodyLimit);
    const { method, whenReceived, connection } = request;
    // A larger body is refused unread. So is that of a GET.
    if (whenReceived === undefined || method === 'GET' || bytes === 0 || bytes > bodyLimit) return;
    const giveBack = shares.take(caller.key, bytes);
    if (typeof giveBack === 'string') throw tooMuchUnfinished(each);
    const arriving = bodies.begin(caller.key, () => connection?.close?.());
    const done = () => {
      giveBack();
      arriving.end();
    };
    request.whenReceived?.(done, arriving.grow);
  };
}

function tooMuchUnfinished(most: number): EdgeError {
  return new EdgeError(
    'RATE_LIMITED',
    `More than ${most} bytes of bodies from your address have not arrived completely: send the rest of them, then try again.`,
    {
      details: { retryAfterSeconds: retryAfter },
      headers: { 'Retry-After': String(retryAfter) },
    },
  );
}

/** In chunks it may become as large as the path accepts. Without a length and without chunks there is none (F60). */
function bytesOf({ header }: Pick<EdgeRequest, 'header'>, bodyLimit: number): number {
  const length = header('content-length');
  if (length !== undefined) return Number(length);
  return header('transfer-encoding') === undefined ? 0 : bodyLimit;
}
