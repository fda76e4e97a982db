import type { MiddlewareHandler } from 'hono';
import type { Random } from '../random.ts';
import type { EdgeEnv } from './edge-env.ts';

/** What a caller may choose as an id: short, and unable to break out of a log line or a header. */
const acceptableId = /^[\w.-]{1,64}$/;

/**
 * Gives every request an id, the caller's `X-Request-Id` where it is sane and one of ours otherwise,
 * and every response the same id. Ours are a count behind a random name of this process: unique,
 * and not a secret. Hono's own middleware sets the header before the handler runs, and a handler
 * that returns a plain `Response` loses it; here it is set last.
 */
export function identifyRequest(random: Random): MiddlewareHandler<EdgeEnv> {
  const processName = Buffer.from(random.bytes(8)).toString('hex');
  let count = 0;
  return async (c, next) => {
    const offered = c.req.header('x-request-id');
    const isAcceptable = offered !== undefined && acceptableId.test(offered);
    const requestId = isAcceptable ? offered : `${processName}-${++count}`;
    c.set('requestId', requestId);
    await next();
    c.res.headers.set('X-Request-Id', requestId);
  };
}
