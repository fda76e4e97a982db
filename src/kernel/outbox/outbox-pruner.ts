import type { Database } from '../database/database.ts';
import type { EventBus } from '../event-bus/event-bus.ts';
import { createPruner, type PrunerOptions, type Pruning } from '../lifecycle/create-pruner.ts';
import type { Worker } from '../lifecycle/worker.ts';
import { confirmConsumer, deleteConsumers, deleteUnwantedEvents } from './outbox-store.ts';

export type OutboxPrunerOptions = PrunerOptions & {
  readonly database: Database;
  readonly bus: EventBus;
  /** How long, in milliseconds, events wait for a consumer that no process runs. */
  readonly retention?: number;
};

const week = 7 * 24 * 3_600_000;
const pauseMs = 600_000;

/**
 * The worker that deletes consumers which no process has run for the retention time, and the events
 * that wait for them. It also confirms that its own process runs its consumers.
 */
export function createOutboxPruner(options: OutboxPrunerOptions): Worker {
  const { database, bus, clock, retention = week, onFailure } = options;

  /**
   * One pruning and not three, for the order: confirm our own consumers first, delete events before consumers.
   */
  const prune: Pruning = async ({ now, limit }) => {
    for (const { name } of bus.consumers()) await confirmConsumer(database, name, now);
    const unseenSince = now - retention;
    const pruned = await deleteUnwantedEvents(database, { unseenSince, limit });
    if (pruned < limit) await deleteConsumers(database, unseenSince);
    return pruned;
  };
  return createPruner({ name: 'outbox-pruner', prunings: [prune], pauseMs, clock, onFailure });
}
