import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { EventBus } from '../event-bus/event-bus.ts';
import type { Worker } from '../lifecycle/worker.ts';

export type OutboxPrunerOptions = {
  readonly database: Database;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** How long, in milliseconds, events wait for a consumer that no process runs. */
  readonly retention?: number;
  readonly onFailure?: (error: unknown) => void;
};

const week = 7 * 24 * 3_600_000;
/** Small steps: each is one short transaction between those of others. */
const rowsPruned = 500;
const pauseBetweenRounds = 600_000;

/**
 * The worker that forgets consumers which no process has run for the retention time, and the events
 * that wait for them. It says of the consumers of its own process that they are there.
 */
export function createOutboxPruner(options: OutboxPrunerOptions): Worker {
  const { database, bus, clock, retention = week, onFailure = () => {} } = options;

  return {
    name: 'outbox-pruner',
    async run(signal) {
      while (!signal.aborted) {
        try {
          await confirmConsumers(database, bus, clock.now());
          const longAgo = clock.now() - retention;
          while (!signal.aborted && (await pruneEvents(database, longAgo)) === rowsPruned);
          await database.run(sql`DELETE FROM outbox_consumers WHERE seen_at < ${longAgo}`);
        } catch (error) {
          onFailure(error);
        }
        await clock.sleep(pauseBetweenRounds, signal);
      }
    },
  };
}

async function confirmConsumers(database: Database, bus: EventBus, now: number): Promise<void> {
  for (const { name } of bus.consumers()) {
    await database.run(sql`UPDATE outbox_consumers SET seen_at = ${now} WHERE consumer = ${name}`);
  }
}

function pruneEvents(database: Database, longAgo: number): Promise<number> {
  return database.run(sql`
    DELETE FROM outbox WHERE position IN (
      SELECT position FROM outbox
      JOIN outbox_consumers ON outbox_consumers.topic = outbox.topic
        AND outbox_consumers.consumer = outbox.consumer
      WHERE seen_at < ${longAgo} LIMIT ${rowsPruned})`);
}
