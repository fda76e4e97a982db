import { EdgeError } from '../../../kernel/edge/edge-error.ts';
import type { RateLimiter } from '../../../kernel/edge/rate-limiter.ts';
import { count } from '../../../kernel/text/text.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { createBoundedMap } from '../../../kernel/wait/remembered.ts';
import { authorizationLimits } from '../../limits.ts';

/** Bounds how often something may fail for one key; what succeeds is never bounded. */
export type FailureLimit = {
  /** Throws `RATE_LIMITED` while the key has failed too often. */
  check(key: string): void;
  /** Counts a failure. */
  fail(key: string): Promise<void>;
  /** Whether the key has failed within the last minute, as far as this process remembers. */
  hasFailed(key: string): boolean;
};

/** The oldest keys are forgotten first: they have waited longest already. */
const keysKept = authorizationLimits.failuresKept.value;

/**
 * Counts failures in a shared limit. The first failure beyond it blocks the key in this process until
 * the limit allows another: each process lets through at most one try more than the limit says.
 */
export function createFailureLimit(limiter: RateLimiter, clock: Clock): FailureLimit {
  const failures = createBoundedMap<string, { at: number; closedUntil: number }>(keysKept);

  return {
    check(key) {
      const closedUntil = failures.get(key)?.closedUntil ?? 0;
      const seconds = Math.ceil((closedUntil - clock.now()) / 1_000);
      if (seconds <= 0) return;
      throw new EdgeError(
        'RATE_LIMITED',
        `Too many attempts from your network address failed: wait ${count(seconds, 'second')} and try again.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    },
    async fail(key) {
      const { isAllowed, retryAfterSeconds } = await limiter.take(key);
      const at = clock.now();
      failures.set(key, { at, closedUntil: isAllowed ? at : at + retryAfterSeconds * 1_000 });
    },
    hasFailed(key) {
      const failure = failures.get(key);
      return failure !== undefined && clock.now() < failure.at + 60_000;
    },
  };
}
