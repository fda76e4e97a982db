import type { MiddlewareHandler } from 'hono';
import { count } from '../text/text.ts';
import { EdgeError } from './edge-error.ts';
import type { EdgeEnv } from './mount.ts';
import type { RateLimiter } from './rate-limiter.ts';

type RateLimit = {
  readonly limiter: RateLimiter;
  /** The name of the policy, as callers read it. */
  readonly policy: string;
  /** The time in which an empty bucket fills. */
  readonly windowSeconds: number;
};

/** Takes one token for each request from the caller's bucket, see {@link countRequest}. */
export function limitRate(limit: RateLimit): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    const headers = await countRequest(limit, c.get('context').caller.key);
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
}

/**
 * Takes the tokens of a request from a bucket, and returns the headers that say how many are left: `RateLimit` and
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). Throws `RATE_LIMITED`, which adds `Retry-After`, when the bucket
 * has too few.
 */
export async function countRequest(
  { limiter, policy, windowSeconds }: RateLimit,
  key: string,
  cost = 1,
): Promise<Readonly<Record<string, string>>> {
  const { isAllowed, limit, remaining, retryAfterSeconds } = await limiter.take(key, cost);
  const retryAfter = Math.ceil(retryAfterSeconds);
  const headers = {
    RateLimit: `"${policy}";r=${Math.floor(remaining)}${isAllowed ? '' : `;t=${retryAfter}`}`,
    'RateLimit-Policy': `"${policy}";q=${limit};w=${windowSeconds}`,
  };
  if (isAllowed) return headers;
  throw new EdgeError(
    'RATE_LIMITED',
    `More than ${limit} requests in ${count(windowSeconds, 'second')}: wait ${count(retryAfter, 'second')} and try again.`,
    {
      details: { retryAfterSeconds: retryAfter },
      headers: { ...headers, 'Retry-After': String(retryAfter) },
    },
  );
}
