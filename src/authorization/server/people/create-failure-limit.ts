import { createBoundedMap } from '../../../kernel/bounded-map.ts';
import { EdgeError } from '../../../kernel/http/messages/edge-error.ts';
import type { RateLimiter } from '../../../kernel/rate-limit/rate-limiter.ts';
import { count } from '../../../kernel/text/count.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { authorizationLimits } from '../../limits.ts';

/** Bounds how often something may fail for one key; what succeeds is never bounded. */
export type FailureLimit = {
  /** Throws `RATE_LIMITED` while the key has failed too often. */
  check(key: string): void;
  /** Counts a failure. */
  fail(key: string): Promise<void>;
};

/** The oldest are forgotten first: they have at most waited their time already. */
const keysKept = authorizationLimits.failuresKept.value;

/**
 * Counts failures in a shared limit. The first failure beyond it closes the key in this process until
 * the limit allows another: each process lets through at most one try more than the limit says.
 */
export function createFailureLimit(limiter: RateLimiter, clock: Clock): FailureLimit {
  const closedUntil = createBoundedMap<string, number>(keysKept);

  return {
    check(key) {
      const until = closedUntil.get(key);
      if (until === undefined) return;
      const seconds = Math.ceil((until - clock.now()) / 1_000);
      if (seconds <= 0) {
        closedUntil.delete(key);
        return;
      }
      throw new EdgeError(
        'RATE_LIMITED',
        `This failed too often from where you are: wait ${count(seconds, 'second')} and try again.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    },
    async fail(key) {
      const { isAllowed, retryAfterSeconds } = await limiter.take(key);
      if (isAllowed) return;
      closedUntil.set(key, clock.now() + retryAfterSeconds * 1_000);
    },
  };
}
