import type { EndpointFailure } from '../endpoint-failure.ts';
import { type Latency, observeLatency } from './latency.ts';

/** How an endpoint has behaved lately, and until when it is left out. */
export type EndpointHealth = {
  readonly latency: Latency | undefined;
  /** Failures since the last success. */
  readonly failures: number;
  /** Epoch milliseconds; in the past when the endpoint is in use. */
  readonly leftOutUntil: number;
  readonly lastFailure: EndpointFailure | undefined;
};

export const unknownHealth: EndpointHealth = {
  latency: undefined,
  failures: 0,
  leftOutUntil: 0,
  lastFailure: undefined,
};

const firstLeave = 1_000;
const longestLeave = 60_000;
/** A wrong chain id means a wrong address: it does not go away by itself. */
const wrongChainLeave = 600_000;
const toleratedErrors = 2;
/** For an endpoint that limits us and does not say for how long. */
const rateLimitLeave = 5_000;
/** If an endpoint asks for a longer wait, it is tried again after this. */
const longestRateLimitLeave = 300_000;

export function afterSuccess(health: EndpointHealth, milliseconds: number): EndpointHealth {
  return { ...unknownHealth, latency: observeLatency(health.latency, milliseconds) };
}

/**
 * An endpoint that fails is left out, twice as long each time in a row. An endpoint that does not know a block is
 * not left out: every node lags behind the head now and then. Nor is an endpoint that answers with a JSON-RPC
 * error, until the third failure in a row.
 */
export function afterFailure(
  health: EndpointHealth,
  failure: EndpointFailure,
  now: number,
): EndpointHealth {
  if (failure.reason === 'unknown-block') return { ...health, lastFailure: failure };
  return {
    ...health,
    failures: health.failures + 1,
    leftOutUntil: now + leave(health, failure),
    lastFailure: failure,
  };
}

/** Whether the endpoint must not be asked at all, rather than after all others. */
export function isBanned({ leftOutUntil, lastFailure }: EndpointHealth, now: number): boolean {
  const { reason } = lastFailure ?? {};
  return leftOutUntil > now && (reason === 'rate-limited' || reason === 'wrong-chain');
}

function leave({ failures }: EndpointHealth, { reason, retryAfterMs }: EndpointFailure): number {
  if (reason === 'wrong-chain') return wrongChainLeave;
  if (reason === 'error' && failures < toleratedErrors) return 0;
  const doubling = Math.min(longestLeave, firstLeave * 2 ** failures);
  if (reason !== 'rate-limited') return Math.max(doubling, retryAfterMs ?? 0);
  return Math.min(longestRateLimitLeave, retryAfterMs ?? Math.max(rateLimitLeave, doubling));
}
