import type { Queries } from '../../../kernel/database/database.ts';
import { rememberAnswer } from '../../../kernel/memory/remember-answers.ts';
import type { Metrics } from '../../../kernel/metrics/metrics.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { type QueueMeasures, readQueueMeasures } from '../../store/queue/queue-measure-store.ts';

/** How long a reading is cached, in milliseconds. */
const validity = 10_000;

/**
 * Reports how many events wait for delivery and for how long, whenever metrics are scraped (T5). Every process on a
 * database reports the same values: take the maximum, not the sum. If the store does not answer, the last values stay.
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

  show('queued', 'Events that are still to be delivered to subscriptions.', ({ queued }) => queued);
  show('queue_age_seconds', 'How long the most overdue delivery has waited for its turn.', (m) =>
    secondsSince(m.dueSince),
  );
  show(
    'failing_lanes',
    'Subscriptions whose receiver does not accept events.',
    (m) => m.failingLanes,
  );
  show('failing_seconds', 'How long the longest failing receiver has been failing.', (m) =>
    secondsSince(m.failingSince),
  );
  show('suspended_lanes', 'Subscriptions that are suspended.', (m) => m.suspendedLanes);
  show(
    'undelivered',
    'Events that were held or given up, whether or not they were sent again since.',
    (m) => m.undelivered,
  );
}
