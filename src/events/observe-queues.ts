import type { Queries } from '../kernel/database/database.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { rememberAnswer } from '../kernel/remember-answers.ts';
import type { Clock } from '../kernel/time/clock.ts';
import { type QueueMeasures, readQueueMeasures } from './store/queue/queue-measure-store.ts';

/** For how many milliseconds a reading is cached. */
const validity = 10_000;

/**
 * Shows how much waits to be delivered and for how long, whenever the page of metrics is read (T5). Every process of
 * a database reports the same: take the maximum, not the sum. A store that does not answer leaves the last values.
 */
export function observeQueues(options: {
  readonly metrics: Metrics;
  readonly database: Queries;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): void {
  const { metrics, database, clock, onFailure } = options;
  const latest = rememberAnswer({
    keptFor: validity,
    clock,
    ask: () => readQueueMeasures(database),
  });
  const show = (name: string, help: string, measure: (measures: QueueMeasures) => number) =>
    metrics.gauge({
      name: `events_${name}`,
      help,
      collect: (gauge) => latest.get().then((measures) => gauge.set(measure(measures)), onFailure),
    });
  const secondsSince = (since: number | undefined) =>
    since === undefined ? 0 : Math.max(0, clock.now() - since) / 1_000;

  show('queued', 'Events that subscriptions have still to get.', ({ queued }) => queued);
  show('queue_age_seconds', 'How long the most overdue delivery has waited for its turn.', (m) =>
    secondsSince(m.dueSince),
  );
  show('failing_lanes', 'Subscriptions whose receiver does not accept.', (m) => m.failingLanes);
  show('failing_seconds', 'How long the receiver that fails longest has done so.', (m) =>
    secondsSince(m.failingSince),
  );
  show('suspended_lanes', 'Subscriptions that are suspended.', (m) => m.suspendedLanes);
  show(
    'undelivered',
    'Events that were held or given up, whether or not they were sent again since.',
    (m) => m.undelivered,
  );
}
