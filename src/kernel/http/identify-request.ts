import type { MiddlewareHandler } from 'hono';
import type { Random } from '../random.ts';
import type { EdgeEnv } from './edge-env.ts';

/** What a caller may choose as an id: short, and unable to break out of a log line or a header. */
const acceptableId = /^[\w.-]{1,64}$/;

/**
 * Gives every request an id, the caller's `X-Request-Id` where it is sane and a random one otherwise,
 * and every response the same id. Hono's own middleware sets the header before the handler runs,
 * and a handler that returns a plain `Response` loses it; here it is set last.
 */
export function identifyRequest(random: Random): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    const offered = c.req.header('x-request-id');
    const requestId =
      offered !== undefined && acceptableId.test(offered)
        ? offered
        : Buffer.from(random.bytes(16)).toString('hex');
    c.set('requestId', requestId);
    await next();
    c.header('X-Request-Id', requestId);
  };
}
