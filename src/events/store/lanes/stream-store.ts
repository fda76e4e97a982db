import type { Queries, Transactional } from '../../../kernel/database/database.ts';
import { type Sql, sql, sqlList } from '../../../kernel/database/sql.ts';
import type { LaneSight } from '../../model/caller.ts';
import type { Attempt, QueuedEvent } from '../../model/event.ts';
import type { PayloadOptions } from '../../model/subscription.ts';
import { inChunks, type OriginRow, toOriginEvent, toQueuedEvent } from '../rows.ts';
import { streamKeyOf } from './lane-notices.ts';

/** A lane that is read rather than sent. */
export type StreamLane = LaneSight & {
  readonly lane: number;
  /** What its readers wait for, see `streamKeyOf`. */
  readonly key: string;
  readonly subscriptionId: string;
  readonly cursor: number;
  /** The number of the last event that it has. */
  readonly lastNumber: number;
  readonly isSuspended: boolean;
  readonly isEnding: boolean;
};

/** An event in a stream, with the time at which it was published here. */
export type StreamEvent = QueuedEvent & {
  readonly acceptedAt: number;
  /** The principal, or '' for this server. */
  readonly publisher: string;
};

export async function findStream(
  queries: Queries,
  subscriptionId: string,
): Promise<StreamLane | undefined> {
  const row = await queries.first<StreamRow>(sql`
    SELECT ${streamColumns} FROM events_lanes
    WHERE subscription_id = ${subscriptionId} AND is_pushed = 0 AND topic IS NULL
      AND state <> 'ENDED'`);
  return row && toStreamLane(row);
}

export async function findTopic(
  queries: Queries,
  topic: string,
  principal: string,
): Promise<StreamLane[]> {
  const rows = await queries.all<StreamRow>(sql`
    SELECT ${streamColumns} FROM events_lanes
    WHERE topic IS NOT NULL AND topic = ${topic} AND principal = ${principal}
      AND is_pushed = 0 AND state <> 'ENDED'
    ORDER BY lane`);
  return rows.map(toStreamLane);
}

/** The payload options of a lane; read only if the lane has new events, since a topic may have thousands of lanes. */
export async function readPayload(
  queries: Queries,
  lane: number,
): Promise<PayloadOptions | undefined> {
  const row = await queries.first<{ payload: string | null }>(
    sql`SELECT payload FROM events_lanes WHERE lane = ${lane}`,
  );
  return row?.payload ? JSON.parse(row.payload) : undefined;
}

/** The last numbers of these lanes. */
export async function readLastNumbers(
  queries: Queries,
  lanes: readonly number[],
): Promise<Map<number, number>> {
  const numbers = new Map<number, number>();
  for (const some of inChunks(lanes)) {
    const rows = await queries.all<{ lane: number; last_number: number }>(
      sql`SELECT lane, last_number FROM events_lanes WHERE lane IN ${sqlList(some)}`,
    );
    for (const { lane, last_number } of rows) numbers.set(lane, last_number);
  }
  return numbers;
}

/** The events after a number, without those that are held. */
export async function readStreamEvents(
  queries: Queries,
  lane: number,
  { after, limit, isForMcp = false }: { after: number; limit: number; isForMcp?: boolean },
): Promise<StreamEvent[]> {
  const further = isForMcp ? sql`, source, COALESCE(watermark, event) AS watermark` : sql``;
  // Ranges of exceptions do not overlap: only the last that begins before a number may hold it.
  const readWhere = (numbers: Sql, most: number) =>
    queries.all<OriginRow & { accepted_at: number }>(sql`
      SELECT number, id, type, subject, occurred_at, accepted_at, data, is_notice, publisher ${further}
      FROM events_deliveries JOIN events_published ON position = event
      WHERE lane = ${lane} AND ${numbers} AND (is_notice = 1 OR number > COALESCE((
        SELECT COALESCE(last_number, number) FROM events_exceptions
        WHERE events_exceptions.lane = events_deliveries.lane AND first_number <= number
        ORDER BY first_number DESC LIMIT 1), 0))
      ORDER BY number LIMIT ${most}`);
  // Reads a range first, because PostgreSQL reads and sorts a whole lane if it assumes that the lane is short.
  const end = after + limit;
  const next = await readWhere(sql`number > ${after} AND number <= ${end}`, limit);
  const missing = limit - next.length;
  // Continues after the last event that was read, not after the range: events may have been added to the range
  // meanwhile.
  const last = next.at(-1)?.number ?? after;
  const rest = missing === 0 ? [] : await readWhere(sql`number > ${last}`, missing);
  return [...next, ...rest].map((row) => ({
    ...(isForMcp ? toOriginEvent(row, lane) : toQueuedEvent(row)),
    acceptedAt: row.accepted_at,
    publisher: row.publisher,
  }));
}

/**
 * Logs what was handed to a reader. The cursor never goes back: several readers may be at different places, and events
 * that one of them reads again are not logged twice.
 */
export async function advanceStream(
  database: Transactional,
  lane: number,
  attempt: Attempt,
): Promise<void> {
  const { first, last } = attempt;
  await database.transaction(async (tx) => {
    const moved = await tx.run(sql`
      UPDATE events_lanes SET cursor = ${last} WHERE lane = ${lane} AND cursor < ${last}`);
    if (moved === 0) return;
    await tx.run(sql`
      INSERT INTO events_attempts (lane, first_number, last_number, log)
      VALUES (${lane}, ${first}, ${last}, ${JSON.stringify([attempt])})`);
  });
}

const streamColumns = sql`lane, topic, subscription_id, account, sees_all, cursor, last_number, state, is_ending`;

type StreamRow = {
  account: string;
  sees_all: number;
  lane: number;
  topic: string | null;
  subscription_id: string;
  cursor: number;
  last_number: number;
  state: string;
  is_ending: number;
};

function toStreamLane(row: StreamRow): StreamLane {
  return {
    lane: row.lane,
    key: streamKeyOf(row),
    subscriptionId: row.subscription_id,
    cursor: row.cursor,
    lastNumber: row.last_number,
    account: row.account,
    seesAll: row.sees_all === 1,
    sawAll: row.sees_all !== 0,
    isSuspended: row.state === 'SUSPENDED',
    isEnding: row.is_ending === 1,
  };
}
