import type { Database, Queries, Transaction } from '../database/database.ts';
import { sql, sqlList, sqlRows } from '../database/sql.ts';
import type { Random } from '../model/random.ts';
import { createPruner, type PrunerOptions, type Pruning, type Worker } from '../process/worker.ts';
import type { Clock } from '../wait/clock.ts';
import type { BusEvent, EventBus, EventConsumer, EventFailure } from './event-bus.ts';
import { type DueWork, workPartOf } from './work.ts';
import { createWorkWorker } from './work-worker.ts';

export type OutboxEvent = Omit<BusEvent, 'id'>;

/** The work of a consumer: the event without what the work itself says. */
type EventWork = Pick<OutboxEvent, 'topic' | 'payload' | 'occurredAt'>;

/**
 * Publishes an event in the transaction that makes the change: both happen or neither. It becomes work for
 * each registered consumer of its topic, whose name is the kind, and nothing if there is none. Events of one
 * key keep the order of `addWork`.
 */
export async function writeOutbox(tx: Transaction, event: OutboxEvent): Promise<void> {
  const { topic, key, occurredAt } = event;
  const work: EventWork = { topic, payload: event.payload ?? null, occurredAt };
  // For all consumers at once and without reading them, since a revocation may publish for many grants.
  const written = await tx.run(sql`
    INSERT INTO work (kind, part, key, payload, due_at)
    SELECT consumer, CAST(${workPartOf(key)} AS BIGINT), CAST(${key} AS TEXT),
      CAST(${JSON.stringify(work)} AS TEXT), 0
    FROM outbox_consumers WHERE topic = ${topic}`);
  if (written > 0) tx.notify(outboxChannel);
}

/** The channel on which the relays of all consumers are woken. */
const outboxChannel = 'work-of-consumers';

type OutboxRelayOptions = {
  readonly database: Database;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly random: Random;
  /** Called for each failure; the relay goes on and retries by itself. */
  readonly onFailure?: (failure: EventFailure) => void;
};

/**
 * Registers the consumers of the bus, for which events are stored from now on, and returns the worker
 * that delivers them. It relays only for consumers of this process, which must all be subscribed
 * before this call.
 */
export async function openOutboxRelay(options: OutboxRelayOptions): Promise<Worker> {
  const { database, bus, clock, random, onFailure } = options;
  await registerConsumers(database, bus.consumers(), clock.now());
  return createWorkWorker({
    name: 'outbox-relay',
    kinds: bus.consumers().map(({ name }) => name),
    channels: [outboxChannel],
    ...{ database, clock, random },
    handle: (work, signal) => bus.deliver(work.kind, toEvent(work), signal),
    onFailure: ({ error, work }) => {
      if (work === undefined) return onFailure?.({ error });
      const { kind: consumer, attempts } = work;
      onFailure?.({ error, consumer, event: toEvent(work), attempts });
    },
  });
}

function toEvent({ id, key, payload: work }: DueWork): BusEvent {
  const { topic, payload, occurredAt } = work as EventWork; // as `writeOutbox` wrote it
  return { id, topic, key, payload, occurredAt };
}

async function registerConsumers(
  database: Database,
  consumers: readonly Pick<EventConsumer, 'name' | 'topics'>[],
  now: number,
): Promise<void> {
  const wanted = consumers.flatMap(({ name, topics }) => topics.map((topic) => [name, topic, now]));
  if (wanted.length === 0) return;
  await database.run(sql`
    INSERT INTO outbox_consumers (consumer, topic, seen_at) VALUES ${sqlRows(wanted)}
    ON CONFLICT (topic, consumer) DO UPDATE SET seen_at = excluded.seen_at`);
}

type OutboxPrunerOptions = PrunerOptions & {
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
    const ours = bus.consumers().map(({ name }) => name);
    if (ours.length > 0) await confirmConsumers(database, ours, now);
    const unseenSince = now - retention;
    const pruned = await deleteUnwantedEvents(database, { unseenSince, limit });
    if (pruned < limit) {
      await database.run(sql`DELETE FROM outbox_consumers WHERE seen_at < ${unseenSince}`);
    }
    return pruned;
  };
  return createPruner({ name: 'outbox-pruner', prunings: [prune], pauseMs, clock, onFailure });
}

/** Notes that a process runs these consumers. */
async function confirmConsumers(
  queries: Queries,
  names: readonly string[],
  now: number,
): Promise<void> {
  await queries.run(
    sql`UPDATE outbox_consumers SET seen_at = ${now} WHERE consumer IN ${sqlList(names)}`,
  );
}

/** Deletes at most `limit` events of consumers that no process has run since then; returns how many. */
function deleteUnwantedEvents(
  queries: Queries,
  { unseenSince, limit }: { unseenSince: number; limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM work WHERE position IN (
      SELECT position FROM work WHERE kind IN (
        SELECT consumer FROM outbox_consumers WHERE seen_at < ${unseenSince}) LIMIT ${limit})`);
}
