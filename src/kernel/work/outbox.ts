import type { Database, Queries, Transaction } from '../database/database.ts';
import { type Sql, sql, sqlList, sqlRows } from '../database/sql.ts';
import type { BusEvent, EventConsumer } from './event-bus.ts';

/** The channel on which relays are woken. */
export const outboxChannel = 'outbox';

export type OutboxEvent = {
  readonly topic: string;
  readonly key: string;
  /** Anything that JSON can hold. */
  readonly payload: unknown;
  readonly occurredAt: number;
};

/**
 * Publishes an event in the transaction that makes the change: both happen or neither. The event is
 * stored once for each registered consumer of its topic, and not at all if there is none.
 *
 * Order: a consumer gets two events of one key in the order of writing whenever the second was
 * written after the first was committed, or in the same transaction. Two concurrent transactions
 * that publish for one key have no order unless something else orders them. So make the change
 * first, whose row lock orders them, and then publish.
 */
export async function writeOutbox(tx: Transaction, event: OutboxEvent): Promise<void> {
  const { topic, key, occurredAt } = event;
  const payload = JSON.stringify(event.payload ?? null);
  const written = await tx.run(sql`
    INSERT INTO outbox (consumer, lane, topic, key, payload, occurred_at)
    SELECT consumer, CAST(${outboxLaneOf(key)} AS BIGINT), topic, CAST(${key} AS TEXT),
      CAST(${payload} AS TEXT), CAST(${occurredAt} AS BIGINT)
    FROM outbox_consumers WHERE topic = ${topic}`);
  if (written > 0) tx.notify(outboxChannel);
}

/** A part of one consumer's events. Only its holder relays them. */
export type Lane = { readonly consumer: string; readonly lane: number };

/** Who holds lanes, and until when they are theirs. */
type LaneLease = { readonly owner: string; readonly now: number; readonly until: number };

export type WaitingEvent = { readonly event: BusEvent; readonly attempts: number };

/** The outcome of a batch: the handled events, those to retry, and whether the lane is released. */
type BatchOutcome = {
  readonly handled: readonly string[];
  readonly failed: readonly { readonly id: string; readonly retryAt: number }[];
  readonly isReleased: boolean;
};

/** How many lanes one claim takes, so that processes woken together share the work. */
const lanesClaimed = 4;
/** Bounds what is redelivered after a crash and what a batch holds in memory. */
export const outboxBatchSize = 100;

export async function registerConsumers(
  database: Database,
  consumers: readonly Pick<EventConsumer, 'name' | 'topics'>[],
  now: number,
): Promise<void> {
  const wanted = consumers.flatMap(({ name, topics }) => topics.map((topic) => [name, topic, now]));
  if (wanted.length === 0) return;
  const lanes = consumers.flatMap(({ name }) =>
    Array.from({ length: outboxLanes }, (_, lane) => [name, lane, '', 0]),
  );
  await database.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO outbox_consumers (consumer, topic, seen_at) VALUES ${sqlRows(wanted)}
      ON CONFLICT (topic, consumer) DO UPDATE SET seen_at = excluded.seen_at`);
    await tx.run(sql`
      INSERT INTO outbox_lanes (consumer, lane, owner, lease_until) VALUES ${sqlRows(lanes)}
      ON CONFLICT (consumer, lane) DO NOTHING`);
    // The embedded file has one process, so earlier holders of these lanes are gone.
    if (database.engine === 'sqlite') await tx.run(sql`UPDATE outbox_lanes SET lease_until = 0`);
  });
}

/** Notes that a process runs the consumer. */
export async function confirmConsumer(queries: Queries, name: string, now: number): Promise<void> {
  await queries.run(sql`UPDATE outbox_consumers SET seen_at = ${now} WHERE consumer = ${name}`);
}

/** Deletes at most `limit` events of consumers that no process has run since then; returns how many. */
export function deleteUnwantedEvents(
  queries: Queries,
  { unseenSince, limit }: { unseenSince: number; limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM outbox WHERE position IN (
      SELECT position FROM outbox
      JOIN outbox_consumers ON outbox_consumers.topic = outbox.topic
        AND outbox_consumers.consumer = outbox.consumer
      WHERE seen_at < ${unseenSince} LIMIT ${limit})`);
}

/** Deletes consumers that no process has run since then. Delete the events that wait for them first. */
export async function deleteConsumers(queries: Queries, unseenSince: number): Promise<void> {
  await queries.run(sql`DELETE FROM outbox_consumers WHERE seen_at < ${unseenSince}`);
}

export async function claimOutboxLanes(
  queries: Queries,
  consumers: readonly string[],
  { owner, now, until }: LaneLease,
): Promise<Lane[]> {
  if (consumers.length === 0) return [];
  return queries.all<Lane>(sql`
    WITH due AS MATERIALIZED (
      SELECT consumer, lane FROM outbox_lanes
      WHERE consumer IN ${sqlList(consumers)} AND lease_until <= ${now} AND EXISTS (
        SELECT 1 FROM outbox WHERE outbox.consumer = outbox_lanes.consumer
          AND outbox.lane = outbox_lanes.lane AND ${isDeliverable(now)})
      LIMIT ${lanesClaimed} ${queries.dialect.skipLocked})
    UPDATE outbox_lanes SET owner = ${owner}, lease_until = ${until}
    WHERE (consumer, lane) IN (SELECT consumer, lane FROM due) RETURNING consumer, lane`);
}

export async function readOutboxBatch(
  queries: Queries,
  { consumer, lane }: Lane,
  now: number,
): Promise<WaitingEvent[]> {
  const rows = await queries.all<OutboxRow>(sql`
    SELECT position, topic, key, payload, occurred_at, attempts FROM outbox
    WHERE consumer = ${consumer} AND lane = ${lane} AND ${isDeliverable(now)}
    ORDER BY position LIMIT ${outboxBatchSize}`);
  return rows.map(toWaitingEvent);
}

/** Writes the outcome, unless the lane was lost meanwhile: then its new holder delivers again. */
export async function finishOutboxBatch(
  database: Database,
  lane: Lane,
  lease: LaneLease,
  { handled, failed, isReleased }: BatchOutcome,
): Promise<void> {
  await database.transaction(async (tx) => {
    // First, because it locks the lane: nobody can take it over before this is written.
    if (!(await renewOutboxLane(tx, lane, lease))) return;
    if (isReleased) await release(tx, lane);
    if (handled.length > 0) {
      await tx.run(sql`DELETE FROM outbox WHERE position IN ${sqlList(handled.map(Number))}`);
    }
    for (const { id, retryAt } of failed) {
      await tx.run(sql`
        UPDATE outbox SET attempts = attempts + 1, retry_at = ${retryAt}
        WHERE position = ${Number(id)}`);
    }
  });
}

/** When the next failed event may be tried again. */
export async function nextRetryAt(
  queries: Queries,
  consumers: readonly string[],
  now: number,
): Promise<number | undefined> {
  if (consumers.length === 0) return undefined;
  const row = await queries.first<{ retry_at: number | null }>(sql`
    SELECT MIN(retry_at) AS retry_at FROM outbox
    WHERE consumer IN ${sqlList(consumers)} AND retry_at > 0 AND retry_at > ${now}`);
  return row?.retry_at ?? undefined;
}

/**
 * An event waits for its own retry time and for that of an earlier failed event of its key. `retry_at > 0` is
 * redundant, but a statement must repeat this condition of the partial index to use it.
 */
function isDeliverable(now: number): Sql {
  return sql`NOT EXISTS (
    SELECT 1 FROM outbox AS earlier WHERE earlier.consumer = outbox.consumer
      AND earlier.lane = outbox.lane AND earlier.key = outbox.key AND earlier.retry_at > 0
      AND earlier.retry_at > ${now})`;
}

/** Extends the lease and returns whether the lane was still ours. */
export async function renewOutboxLane(
  queries: Queries,
  { consumer, lane }: Lane,
  { owner, until }: LaneLease,
): Promise<boolean> {
  const renewed = await queries.run(sql`
    UPDATE outbox_lanes SET lease_until = ${until}
    WHERE consumer = ${consumer} AND lane = ${lane} AND owner = ${owner}`);
  return renewed === 1;
}

/** Clears the owner too, so that a renewal in flight does not match the lane. */
async function release(tx: Transaction, { consumer, lane }: Lane): Promise<void> {
  await tx.run(sql`
    UPDATE outbox_lanes SET owner = '', lease_until = 0
    WHERE consumer = ${consumer} AND lane = ${lane}`);
}

type OutboxRow = {
  position: number;
  topic: string;
  key: string;
  payload: string;
  occurred_at: number;
  attempts: number;
};

function toWaitingEvent(row: OutboxRow): WaitingEvent {
  const { position, topic, key, payload, occurred_at: occurredAt, attempts } = row;
  const event = { id: String(position), topic, key, payload: JSON.parse(payload), occurredAt };
  return { event, attempts };
}

/**
 * How many lanes of a consumer are relayed in parallel. The lane is stored with the event, so
 * changing this number disturbs only the order of events that wait at that moment.
 */
export const outboxLanes = 16;

/** The lane of a key, the same in every process: FNV-1a over the key's UTF-16 units. */
export function outboxLaneOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % outboxLanes;
}
