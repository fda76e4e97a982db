import type { Metrics } from '../metrics/metrics.ts';

/** The part of the process that a fault came from. */
export type FaultyPart = 'request' | 'answer' | 'unread' | 'connection' | 'heartbeat' | 'process';

/** Told of an error that nothing handled before the last catch (N15). Never throws. */
export type ReportFault = (error: unknown, part: FaultyPart) => void;

/** Counts and logs faults. */
export function reportFaults(options: {
  readonly metrics: Pick<Metrics, 'counter'>;
  readonly logger: { error(facts: object, message: string): void };
}): ReportFault {
  const faults = options.metrics.counter({
    name: 'faults_total',
    help: 'Errors that nothing handled before the last catch, by the part they came from: each is a bug.',
    labels: ['part'],
  });
  return (error, part) => {
    faults.inc({ part });
    options.logger.error({ err: error, part }, 'fault: nothing handled this error');
  };
}
