import { countRequest } from '../../kernel/http/gate/limit-rate.ts';
import type { CallContext } from '../../kernel/http/mount/answer-operation.ts';
import type { RateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import type { QuoteCaller } from '../swap-use-cases.ts';

/** Callers with an access token: who they are, and the buckets they have instead of those of their address. */
export type AuthorizedCallers = {
  /** The subject of a valid token in the request; undefined where there is none. */
  subjectOf(request: Request): Promise<string | undefined>;
  readonly limiter: RateLimiter;
};

/** Who sent a request. Without a `Request` it has no token. */
export type UncountedRequest = {
  readonly request: Request | undefined;
  readonly context: Pick<CallContext, 'caller'>;
};

/** A counted request: who sent it, and the headers that say what is left. */
export type AdmittedRequest = {
  readonly caller: QuoteCaller;
  readonly headers: Readonly<Record<string, string>>;
};

const windowSeconds = 60;

/**
 * Counts requests against the caller's bucket: that of the subject where a token names one, else that
 * of the address. The limiters hold the sizes. Throws `RATE_LIMITED`.
 */
export function limitQuotes(options: {
  readonly limiter: RateLimiter;
  readonly authorized?: AuthorizedCallers | undefined;
}): (call: UncountedRequest) => Promise<AdmittedRequest> {
  const { limiter, authorized } = options;
  return async ({ request, context }) => {
    const subject = request && (await authorized?.subjectOf(request));
    const key = subject ?? context.caller.key;
    const limit =
      subject === undefined || authorized === undefined
        ? { limiter, policy: 'quotes', windowSeconds }
        : { limiter: authorized.limiter, policy: 'quotes-with-token', windowSeconds };
    const headers = await countRequest(limit, key);
    return { caller: { key, hasToken: subject !== undefined }, headers };
  };
}
