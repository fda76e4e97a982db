import type { Database, Transactional } from '../kernel/database/database.ts';
import type { Metrics, Series } from '../kernel/telemetry/metrics.ts';
import type { Clock } from '../kernel/wait/clock.ts';

// In seconds, from a row in memory to the default timeout.
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Wraps a database to measure how long its callers wait: for their turn, for locks, for the disk (T5). Queries
 * inside a transaction count as part of it.
 */
export function observeDatabase(
  database: Database,
  options: {
    readonly metrics: Metrics;
    readonly clock: Pick<Clock, 'elapsed'>;
    /** Called when the database refuses something or does not answer. */
    onFailure?(error: unknown): void;
  },
): Database {
  const { metrics, clock, onFailure } = options;
  const histogram = metrics.histogram({
    name: 'database_wait_seconds',
    help: 'Time that the store takes for an operation, by its kind.',
    labels: ['kind'],
    buckets,
  });
  const reads = histogram.series({ kind: 'read' });
  const writes = histogram.series({ kind: 'write' });
  const transactions = histogram.series({ kind: 'transaction' });
  const failures = metrics.counter({
    name: 'database_failures_total',
    help: 'Operations that the store refused or did not answer.',
  });

  async function timed<T>(waits: Series, ask: () => Promise<T>): Promise<T> {
    const since = clock.elapsed();
    try {
      return await ask();
    } catch (error) {
      failures.inc();
      onFailure?.(error);
      throw error;
    } finally {
      waits.observe((clock.elapsed() - since) / 1_000);
    }
  }
  const through = (store: Transactional): Transactional => ({
    dialect: store.dialect,
    all: (statement) => timed(reads, () => store.all(statement)),
    first: (statement) => timed(reads, () => store.first(statement)),
    run: (statement) => timed(writes, () => store.run(statement)),
    transaction: (work, options) => timed(transactions, () => store.transaction(work, options)),
  });
  return { ...database, ...through(database), relaxed: through(database.relaxed) };
}
