import type { Metrics } from '../../kernel/metrics/metrics.ts';
import type { SendOutcome } from './endpoints/endpoint.ts';

/** Counts calls to endpoints. The counter lives as long as the process, also when its workers restart. */
export function countOutcomes(metrics: Metrics): (outcome: SendOutcome) => void {
  const outcomes = metrics.counter({
    name: 'events_deliveries_total',
    help: 'Calls to endpoints of subscriptions, by whether they were accepted.',
    labels: ['outcome'],
  });
  const [accepted, failed] = [outcomes.labels('accepted'), outcomes.labels('failed')];
  return ({ isAccepted }) => (isAccepted ? accepted : failed).inc();
}
