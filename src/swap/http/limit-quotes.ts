import type { Context, MiddlewareHandler } from 'hono';
import type { EdgeEnv } from '../../kernel/http/edge-env.ts';
import { limitRate } from '../../kernel/http/gate/limit-rate.ts';
import type { RateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import type { QuoteCaller } from './swap-use-cases.ts';

/** Callers who showed a token: who they are, and the buckets they have instead of those of their address. */
export type AuthorizedCallers = {
  /** The subject of a valid token in the request; undefined where there is none. */
  subjectOf(request: Request): Promise<string | undefined>;
  readonly limiter: RateLimiter;
};

const windowSeconds = 60;

export type QuoteLimit = {
  /** Counts a request. Throws `RATE_LIMITED`. */
  readonly limit: MiddlewareHandler<EdgeEnv>;
  /** Whom a request that was counted is from. */
  callerOf(request: Request): QuoteCaller;
};

/**
 * Counts requests against the caller's bucket: that of the subject where a token names one, else that
 * of the address. The limiters hold the sizes.
 */
export function limitQuotes(options: {
  limiter: RateLimiter;
  authorized?: AuthorizedCallers | undefined;
}): QuoteLimit {
  const { limiter, authorized } = options;
  const callers = new WeakMap<Request, QuoteCaller>();
  const keyOf = (c: Context<EdgeEnv>) => callerOf(c.req.raw).key;
  const limitAddress = limitRate({ limiter, policy: 'quotes', windowSeconds, keyOf });
  const limitSubject =
    authorized && limitRate({ ...authorized, policy: 'quotes-with-token', windowSeconds, keyOf });

  function callerOf(request: Request): QuoteCaller {
    const caller = callers.get(request);
    if (caller === undefined) throw new Error('A request was answered that was not counted.');
    return caller;
  }

  return {
    async limit(c, next) {
      const subject = await authorized?.subjectOf(c.req.raw);
      const key = subject ?? c.get('context').caller.key;
      callers.set(c.req.raw, { key, hasToken: subject !== undefined });
      return subject !== undefined && limitSubject ? limitSubject(c, next) : limitAddress(c, next);
    },
    callerOf,
  };
}
