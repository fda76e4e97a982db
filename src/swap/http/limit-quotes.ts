import type { MiddlewareHandler } from 'hono';
import type { EdgeEnv } from '../../kernel/http/edge-env.ts';
import { limitRate } from '../../kernel/http/gate/limit-rate.ts';
import type { RateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';

/** Callers who showed a token: who they are, and the buckets they have instead of those of their address. */
export type AuthorizedCallers = {
  /** The subject of a valid token in the request; undefined where there is none. */
  subjectOf(request: Request): Promise<string | undefined>;
  readonly limiter: RateLimiter;
};

const windowSeconds = 60;

/**
 * Counts requests against the caller's bucket: that of the subject where a token names one, else that
 * of the address. The limiters hold the sizes. Throws `RATE_LIMITED`.
 */
export function limitQuotes(options: {
  limiter: RateLimiter;
  authorized?: AuthorizedCallers | undefined;
}): MiddlewareHandler<EdgeEnv> {
  const { limiter, authorized } = options;
  const limitAddress = limitRate({ limiter, policy: 'quotes', windowSeconds });
  if (authorized === undefined) return limitAddress;
  return async (c, next) => {
    const subject = await authorized.subjectOf(c.req.raw);
    if (subject === undefined) return limitAddress(c, next);
    const limitSubject = limitRate({
      limiter: authorized.limiter,
      policy: 'quotes-with-token',
      windowSeconds,
      keyOf: () => subject,
    });
    return limitSubject(c, next);
  };
}
