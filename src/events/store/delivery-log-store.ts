import type { Database, Transaction } from '../../kernel/database/database.ts';
import { type Sql, sql, sqlList } from '../../kernel/database/sql.ts';
import type { Attempt, DeliveryState, LoggedDelivery } from '../model/logged-delivery.ts';

export type ReplayQuery = {
  readonly subscriptionId: string;
  readonly eventIds: readonly string[] | undefined;
  readonly eventTypes: readonly string[] | undefined;
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
};

/** A delivery that is to be repeated. */
export type Repeated = {
  readonly number: number;
  readonly event: number;
  readonly createdAt: number;
};

/** The log of deliveries: reading it, and finding what is to be sent again. */
export type DeliveryLogStore = {
  list(query: {
    subscriptionId: string;
    state: DeliveryState | undefined;
    after: number;
    limit: number;
  }): Promise<LoggedDelivery[]>;
  /** Where a replay begins: what comes later is on its way already. */
  findReplay(subscriptionId: string): Promise<{ lane: number; cursor: number } | undefined>;
  /** The next of what fits the query, up to a number, marked as repeated. */
  takeRepeated(
    tx: Transaction,
    range: { query: ReplayQuery; lane: number; after: number; through: number },
  ): Promise<Repeated[]>;
};

const repeatedAtOnce = 500;
/** More than the numbers that one row of attempts spans: 500 attempts at batches of 100. */
const longestStretch = 50_000;

export function createDeliveryLogStore(database: Database): DeliveryLogStore {
  const readAttempts = async (lane: number, numbers: readonly number[]): Promise<Attempt[]> => {
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    const rows = await database.all<{ log: string }>(sql`
      SELECT log FROM events_attempts
      WHERE lane = ${lane} AND last_number >= ${first} AND last_number <= ${last + longestStretch}
        AND first_number <= ${last}
      ORDER BY position`);
    return rows.flatMap(({ log }): Attempt[] => JSON.parse(log));
  };

  return {
    async list({ subscriptionId, state, after, limit }) {
      const rows = await database.all<DeliveryRow>(sql`
        SELECT events_lanes.lane, number, id, type, created_at, is_notice, replay_of, cursor,
          events_lanes.state AS lane_state, attempts, tried_through, due_at,
          events_exceptions.state AS exception, reason
        FROM events_lanes
        JOIN events_deliveries ON events_deliveries.lane = events_lanes.lane
        JOIN events_published ON position = event
        LEFT JOIN events_exceptions ON events_exceptions.lane = events_lanes.lane
          AND events_exceptions.first_number <= number
          AND (events_exceptions.last_number IS NULL OR events_exceptions.last_number >= number)
        WHERE subscription_id = ${subscriptionId} AND number > ${after} AND is_replayed = 0
          AND ${state === undefined ? sql`1 = 1` : conditions[state]}
        ORDER BY number LIMIT ${limit}`);
      const lane = rows[0]?.lane;
      if (lane === undefined) return [];
      const numbers = rows.flatMap((row) => [
        row.number,
        ...(row.replay_of ? [row.replay_of] : []),
      ]);
      const attempts = await readAttempts(lane, numbers);
      return rows.map((row) => toDelivery(row, attempts));
    },
    async findReplay(subscriptionId) {
      return database.first<{ lane: number; cursor: number }>(sql`
        SELECT lane, cursor FROM events_lanes
        WHERE subscription_id = ${subscriptionId} AND state = 'ACTIVE'`);
    },
    async takeRepeated(tx, { query, lane, after, through }) {
      const { eventIds, eventTypes, startTime, endTime } = query;
      const rows = await tx.all<{ number: number; event: number; created_at: number }>(sql`
        SELECT number, event, created_at
        FROM events_deliveries JOIN events_published ON position = event
        WHERE lane = ${lane} AND number > ${after} AND number <= ${through}
          AND is_notice = 0 AND is_replayed = 0
          AND ${eventIds === undefined ? sql`1 = 1` : sql`id IN ${sqlList(eventIds)}`}
          AND ${eventTypes === undefined ? sql`1 = 1` : sql`type IN ${sqlList(eventTypes)}`}
          AND created_at >= ${startTime ?? 0}
          AND created_at < ${endTime ?? Number.MAX_SAFE_INTEGER}
        ORDER BY number LIMIT ${repeatedAtOnce}`);
      if (rows.length === 0) return [];
      await tx.run(sql`
        UPDATE events_deliveries SET is_replayed = 1
        WHERE lane = ${lane} AND number IN ${sqlList(rows.map(({ number }) => number))}`);
      return rows.map(({ number, event, created_at }) => ({
        number,
        event,
        createdAt: created_at,
      }));
    },
  };
}

const isExcepted = sql`(events_exceptions.state IS NOT NULL AND (is_notice = 0 OR number <= cursor))`;
const isBeingRetried = sql`(attempts > 0 AND number > cursor AND number <= tried_through)`;

/** What a state means in the store; `toDelivery` says the same of a row. */
const conditions: Record<DeliveryState, Sql> = {
  HELD: sql`${isExcepted} AND events_exceptions.state = 'HELD'`,
  UNDELIVERED: sql`${isExcepted} AND events_exceptions.state = 'UNDELIVERED'`,
  DELIVERED: sql`NOT ${isExcepted} AND number <= cursor`,
  RETRYING: sql`NOT ${isExcepted} AND ${isBeingRetried}`,
  PENDING: sql`NOT ${isExcepted} AND number > cursor AND NOT ${isBeingRetried}`,
};

type DeliveryRow = {
  lane: number;
  number: number;
  id: string;
  type: string;
  created_at: number;
  is_notice: number;
  replay_of: number | null;
  cursor: number;
  lane_state: string;
  attempts: number;
  tried_through: number;
  due_at: number | null;
  exception: string | null;
  reason: string | null;
};

function toDelivery(row: DeliveryRow, attempts: readonly Attempt[]): LoggedDelivery {
  const state = stateOf(row);
  const isOf = (number: number | null, { first, last }: Attempt) =>
    number !== null && first <= number && number <= last;
  return {
    number: row.number,
    eventId: row.id,
    eventType: row.type,
    state,
    reason: state === 'HELD' || state === 'UNDELIVERED' ? (row.reason ?? undefined) : undefined,
    createdAt: row.created_at,
    nextAttemptAt: state === 'RETRYING' ? (row.due_at ?? undefined) : undefined,
    attempts: attempts.filter((one) => isOf(row.number, one) || isOf(row.replay_of, one)),
  };
}

function stateOf(row: DeliveryRow): DeliveryState {
  const { number, cursor, exception, is_notice, attempts, tried_through } = row;
  if (exception !== null && (is_notice === 0 || number <= cursor)) {
    return exception === 'HELD' ? 'HELD' : 'UNDELIVERED';
  }
  if (number <= cursor) return 'DELIVERED';
  return attempts > 0 && number <= tried_through ? 'RETRYING' : 'PENDING';
}
