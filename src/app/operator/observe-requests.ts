import type { RequestObservation } from '../../kernel/http/gate/log-access.ts';
import type { Metrics } from '../../kernel/metrics/metrics.ts';

// From a cached answer to the longest that a patient caller waits, in seconds.
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests and their duration by method, route pattern and status. */
export function observeRequests(metrics: Metrics): (observation: RequestObservation) => void {
  const histogram = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the beginning of its answer.',
    labels: ['method', 'route', 'status'],
    buckets,
  });
  return ({ method, route, status, durationMs }) =>
    histogram.series({ method, route, status }).observe(durationMs / 1_000);
}
