/** A running estimate of how long an endpoint takes to answer, in milliseconds. */
export type Latency = {
  readonly mean: number;
  readonly deviation: number;
};

/** Until an endpoint has answered once: slower than most public ones, so a hedge is rarely wasted. */
const unknownDelay = 500;
/** Below this a second request costs more than it can save. */
const shortestDelay = 30;
/** A person waiting for a quote notices anything longer. */
const longestDelay = 2_000;

/** Jacobson's estimator with the gains of RFC 6298, section 2. */
export function observeLatency(latency: Latency | undefined, milliseconds: number): Latency {
  if (latency === undefined) return { mean: milliseconds, deviation: milliseconds / 2 };
  const error = milliseconds - latency.mean;
  return {
    mean: latency.mean + error / 8,
    deviation: latency.deviation + (Math.abs(error) - latency.deviation) / 4,
  };
}

/** How long to wait for the endpoint before another is asked too: RFC 6298's retransmission timeout. */
export function hedgeDelay(latency: Latency | undefined): number {
  if (latency === undefined) return unknownDelay;
  const delay = latency.mean + 4 * latency.deviation;
  return Math.min(longestDelay, Math.max(shortestDelay, delay));
}
