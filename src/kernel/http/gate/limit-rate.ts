import type { Context, MiddlewareHandler } from 'hono';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import type { EdgeEnv } from '../edge-env.ts';
import { EdgeError } from '../edge-error.ts';

/**
 * Takes one token for each request from the caller's bucket, or from the one `keyOf` names, such as
 * that of a token's subject. Every answer tells what is left in `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-10); a refusal adds `Retry-After`. Throws `RATE_LIMITED`.
 */
export function limitRate(options: {
  limiter: RateLimiter;
  /** The name of the policy, as callers read it. */
  policy: string;
  /** The time in which an empty bucket fills. */
  windowSeconds: number;
  keyOf?: (c: Context<EdgeEnv>) => string;
}): MiddlewareHandler<EdgeEnv> {
  const { limiter, policy, windowSeconds, keyOf = (c) => c.get('context').caller.key } = options;
  return async (c, next) => {
    const { isAllowed, limit, remaining, retryAfterSeconds } = await limiter.take(keyOf(c));
    const retryAfter = Math.ceil(retryAfterSeconds);
    const headers = {
      RateLimit: `"${policy}";r=${Math.floor(remaining)}${isAllowed ? '' : `;t=${retryAfter}`}`,
      'RateLimit-Policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    };
    if (!isAllowed) {
      throw new EdgeError(
        'RATE_LIMITED',
        `More than ${limit} requests in ${windowSeconds} seconds: wait ${retryAfter} seconds and try again.`,
        {
          details: { retryAfterSeconds: retryAfter },
          headers: { ...headers, 'Retry-After': String(retryAfter) },
        },
      );
    }
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
}
