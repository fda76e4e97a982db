import { backoffDelay } from '../../../kernel/time/backoff.ts';
import type { SendFailure } from '../endpoints/endpoint.ts';

export type RetrySettings = {
  /** Milliseconds, each of them. */
  readonly retryFirst: number;
  readonly retryMax: number;
  readonly retryWindow: number;
};

export type FailedDelivery = {
  readonly failure: Pick<SendFailure, 'isFinal' | 'retryAfter'>;
  /** How often it has been tried, this time included. */
  readonly attempts: number;
  /** When the first attempt failed. */
  readonly failingSince: number;
  readonly now: number;
  /** In [0, 1), for jitter. */
  readonly fraction: number;
};

/**
 * When a failed delivery is tried again (E14.28, E14.29): after a pause that doubles, or later if the endpoint asks for
 * that, but at the end of the window at the latest. Undefined when it is given up: it still fails at the end of the
 * window, or the endpoint is gone for good (E2.38).
 */
export function planRetry(
  { failure, attempts, failingSince, now, fraction }: FailedDelivery,
  { retryFirst, retryMax, retryWindow }: RetrySettings,
): number | undefined {
  const windowEnd = failingSince + retryWindow;
  if (failure.isFinal || now >= windowEnd) return undefined;
  const delay = backoffDelay({ attempts, fraction, shortest: retryFirst, longest: retryMax });
  return Math.min(now + Math.max(delay, failure.retryAfter ?? 0), windowEnd);
}
