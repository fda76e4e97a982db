import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { EventBus } from '../event-bus/event-bus.ts';
import { createPruner, type PrunerOptions, type Pruning } from '../lifecycle/create-pruner.ts';
import type { Worker } from '../lifecycle/worker.ts';

export type OutboxPrunerOptions = PrunerOptions & {
  readonly database: Database;
  readonly bus: EventBus;
  /** How long, in milliseconds, events wait for a consumer that no process runs. */
  readonly retention?: number;
};

const week = 7 * 24 * 3_600_000;
const pauseMs = 600_000;

/**
 * The worker that forgets consumers which no process has run for the retention time, and the events
 * that wait for them. It says of the consumers of its own process that they are there.
 */
export function createOutboxPruner(options: OutboxPrunerOptions): Worker {
  const { database, bus, clock, retention = week, onFailure } = options;

  /** One pruning and not three: those of our own must be confirmed, and events gone before who they wait for. */
  const prune: Pruning = async ({ now, limit }) => {
    await confirmConsumers(database, bus, now);
    const longAgo = now - retention;
    const pruned = await pruneEvents(database, { longAgo, limit });
    if (pruned < limit) {
      await database.run(sql`DELETE FROM outbox_consumers WHERE seen_at < ${longAgo}`);
    }
    return pruned;
  };
  return createPruner({ name: 'outbox-pruner', prunings: [prune], pauseMs, clock, onFailure });
}

async function confirmConsumers(database: Database, bus: EventBus, now: number): Promise<void> {
  for (const { name } of bus.consumers()) {
    await database.run(sql`UPDATE outbox_consumers SET seen_at = ${now} WHERE consumer = ${name}`);
  }
}

function pruneEvents(
  database: Database,
  { longAgo, limit }: { longAgo: number; limit: number },
): Promise<number> {
  return database.run(sql`
    DELETE FROM outbox WHERE position IN (
      SELECT position FROM outbox
      JOIN outbox_consumers ON outbox_consumers.topic = outbox.topic
        AND outbox_consumers.consumer = outbox.consumer
      WHERE seen_at < ${longAgo} LIMIT ${limit})`);
}
