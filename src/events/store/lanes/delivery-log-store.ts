import type { Queries, Transaction } from '../../../kernel/database/database.ts';
import { type Sql, sql, sqlList } from '../../../kernel/database/sql.ts';
import type { LaneSight } from '../../model/caller.ts';
import {
  type Attempt,
  type DeliveryState,
  type LoggedDelivery,
  occurrenceId,
} from '../../model/event.ts';
import { mcpIdOfLane } from '../rows.ts';
import { isUndelivered } from './attempt-store.ts';

export type ReplayQuery = {
  readonly subscriptionId: string;
  /** The owner of the subscription. */
  readonly principal: string;
  readonly eventIds: readonly string[] | undefined;
  readonly eventTypes: readonly string[] | undefined;
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
  /** Only events that were held or given up. */
  readonly isUndelivered?: boolean | undefined;
  /** An MCP client asked for the subscription, so events have the ids that it knows (M36). */
  readonly isForMcp?: boolean | undefined;
  /** Returns which events of the lane the caller sees, by their publisher. */
  sightInto(lane: LaneSight): (publisher: string) => boolean;
};

/** A delivery that is to be repeated. */
type Repeated = {
  readonly number: number;
  readonly event: number;
  readonly createdAt: number;
};

const repeatedAtOnce = 500;
/** How many numbers one statement looks at, so that it is short however long the lane is. */
const numbersAtOnce = 10_000;
/** More than the numbers that one row of attempts spans: 500 attempts at batches of 100. */
const longestStretch = 50_000;

export async function listDeliveryLog(
  queries: Queries,
  {
    subscriptionId,
    state,
    after,
    limit,
  }: {
    subscriptionId: string;
    state: DeliveryState | undefined;
    after: number;
    limit: number;
  },
): Promise<LoggedDelivery[]> {
  const lane = await queries.first<LaneRow>(sql`
    SELECT lane, last_number, cursor, attempts, tried_through, due_at, ${mcpIdOfLane} AS mcp_id
    FROM events_lanes
    WHERE subscription_id = ${subscriptionId}`);
  if (lane === undefined) return [];
  const exceptions = await queries.all<ExceptionRange>(sql`
    SELECT first_number, last_number, state, reason FROM events_exceptions
    WHERE lane = ${lane.lane} AND (last_number IS NULL OR last_number > ${after})
    ORDER BY first_number`);
  const stretches = splitLane(lane, { exceptions, after });
  const rows: DeliveryRow[] = [];
  for (const range of toRead(stretches, state)) {
    rows.push(...(await readRange(queries, { ...range, lane: lane.lane }, limit - rows.length)));
    if (rows.length === limit) break;
  }
  if (rows.length === 0) return [];
  const numbers = rows.flatMap((row) => [row.number, ...(row.replay_of ? [row.replay_of] : [])]);
  const attempts = await readAttempts(queries, lane.lane, numbers);
  return rows.flatMap((row) => {
    const stretch = stretches.find(({ last }) => row.number <= last);
    return stretch === undefined ? [] : [toDelivery(row, { stretch, lane, attempts })];
  });
}

/** The numbers of a lane that a replay looks at: after those that were pruned, through the cursor. */
type ReplayRange = LaneSight & {
  readonly lane: number;
  readonly after: number;
  readonly through: number;
};

/** What the id of an event is made of. */
type Identified = { publisher: string; source: string; id: string; is_notice: number };

/** The id by which the owner of a subscription knows an event. */
function knownId(row: Identified, { isForMcp = false }: Pick<ReplayQuery, 'isForMcp'>): string {
  const isPublished = !isForMcp || row.is_notice === 1;
  return isPublished ? row.id : occurrenceId(row.publisher, row.source, row.id);
}

function isWanted(row: Identified, query: Pick<ReplayQuery, 'eventIds' | 'isForMcp'>): boolean {
  return query.eventIds?.includes(knownId(row, query)) ?? true;
}

/** The range of a replay; events after it are still being delivered. Undefined if the subscription is suspended. */
export async function findReplay(
  queries: Queries,
  subscriptionId: string,
): Promise<ReplayRange | undefined> {
  const row = await queries.first<ReplayRow>(sql`
    SELECT lane, account, sees_all, cursor AS through, COALESCE((SELECT MIN(number) FROM events_deliveries
      WHERE events_deliveries.lane = events_lanes.lane), 1) - 1 AS after
    FROM events_lanes WHERE subscription_id = ${subscriptionId} AND state = 'ACTIVE'`);
  return row && { ...row, seesAll: row.sees_all === 1, sawAll: row.sees_all !== 0 };
}

/** How many of these events are still being delivered, after the cursor. */
export async function countWaiting(
  queries: Queries,
  { lane, through: cursor }: Pick<ReplayRange, 'lane' | 'through'>,
  query: Pick<ReplayQuery, 'eventIds' | 'isForMcp'>,
): Promise<number> {
  const last = await queries.first<{ number: number | null }>(
    sql`SELECT MAX(number) AS number FROM events_deliveries WHERE lane = ${lane}`,
  );
  let waiting = 0;
  for (let after = cursor; after < (last?.number ?? 0); after += numbersAtOnce) {
    const rows = await queries.all<Identified>(sql`
      SELECT publisher, source, id, is_notice
      FROM events_deliveries JOIN events_published ON position = event
      WHERE lane = ${lane} AND number > ${after} AND number <= ${after + numbersAtOnce}
        AND is_notice = 0
        AND ${query.isForMcp ? sql`1 = 1` : sql`id IN ${sqlList(query.eventIds ?? [])}`}`);
    waiting += rows.filter((row) => isWanted(row, query)).length;
  }
  return waiting;
}

/**
 * Takes the next deliveries that fit the query and marks them as replayed. Returns them, and the number up to which it
 * looked.
 */
export async function takeRepeated(
  tx: Transaction,
  query: ReplayQuery,
  range: ReplayRange,
): Promise<{ readonly repeated: Repeated[]; readonly seenThrough: number }> {
  const { lane, after } = range;
  const through = Math.min(range.through, after + numbersAtOnce);
  const { eventIds, eventTypes, startTime, endTime } = query;
  const isById = eventIds !== undefined && !query.isForMcp;
  const read = await tx.all<RepeatedRow>(sql`
    SELECT number, event, created_at, publisher, source, id, is_notice
    FROM events_deliveries JOIN events_published ON position = event
    WHERE lane = ${lane} AND number > ${after} AND number <= ${through}
      AND is_notice = 0 AND is_replayed = 0
      AND ${isById ? sql`id IN ${sqlList(eventIds)}` : sql`1 = 1`}
      AND ${eventTypes === undefined ? sql`1 = 1` : sql`type IN ${sqlList(eventTypes)}`}
      AND ${query.isUndelivered ? isUndelivered : sql`1 = 1`}
      AND created_at >= ${startTime ?? 0}
      AND created_at < ${endTime ?? Number.MAX_SAFE_INTEGER}
    ORDER BY number LIMIT ${repeatedAtOnce}`);
  const isWhole = read.length < repeatedAtOnce;
  const seenThrough = isWhole ? through : (read.at(-1)?.number ?? through);
  const sees = query.sightInto(range);
  const rows = read.filter((row) => sees(row.publisher) && isWanted(row, query));
  if (rows.length === 0) return { repeated: [], seenThrough };
  await tx.run(sql`
    UPDATE events_deliveries SET is_replayed = 1
    WHERE lane = ${lane} AND number IN ${sqlList(rows.map(({ number }) => number))}`);
  const repeated = rows.map(({ number, event, created_at }) => ({
    number,
    event,
    createdAt: created_at,
  }));
  return { repeated, seenThrough };
}

async function readAttempts(
  queries: Queries,
  lane: number,
  numbers: readonly number[],
): Promise<Attempt[]> {
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const rows = await queries.all<{ log: string }>(sql`
    SELECT log FROM events_attempts
    WHERE lane = ${lane} AND last_number >= ${first} AND last_number <= ${last + longestStretch}
      AND first_number <= ${last}
    ORDER BY position`);
  return rows.flatMap(({ log }): Attempt[] => JSON.parse(log));
}

/**
 * Reads by ranges of numbers only, because PostgreSQL reads and sorts a whole lane if it assumes that the lane is
 * short. The ranges grow up to a bound, so that few are read if matching events are rare or were pruned.
 */
async function readRange(
  queries: Queries,
  { lane, first, last, kind }: NumberRange & { lane: number },
  limit: number,
): Promise<DeliveryRow[]> {
  const rows: DeliveryRow[] = [];
  let size = limit;
  for (let from = first; from <= last && rows.length < limit; from += size, size = next(size)) {
    const through = Math.min(last, from + size - 1);
    const some = await queries.all<DeliveryRow>(sql`
      SELECT number, id, publisher, source, type, created_at, is_notice, replay_of
      FROM events_deliveries JOIN events_published ON position = event
      WHERE lane = ${lane} AND number >= ${from} AND number <= ${through}
        AND is_replayed = 0 AND ${kind}
      ORDER BY number LIMIT ${limit - rows.length}`);
    rows.push(...some);
  }
  return rows;
}

const next = (size: number) => Math.min(size * 10, numbersAtOnce);

/** Numbers of a lane, and which kind of events among them. */
type NumberRange = { readonly first: number; readonly last: number; readonly kind: Sql };

/** The ranges in which deliveries of a state are found. */
function toRead(stretches: readonly Stretch[], state: DeliveryState | undefined): NumberRange[] {
  const all = sql`1 = 1`;
  const [start, end] = [stretches[0], stretches.at(-1)];
  if (start === undefined || end === undefined) return [];
  if (state === undefined) return [{ first: start.first, last: end.last, kind: all }];
  return stretches.flatMap((stretch) => {
    const { first, last } = stretch;
    if (stretch.state === state && stretch.noticeState === state)
      return [{ first, last, kind: all }];
    if (stretch.state === state) return [{ first, last, kind: sql`is_notice = 0` }];
    if (stretch.noticeState === state) return [{ first, last, kind: sql`is_notice = 1` }];
    return [];
  });
}

type LaneRow = LaneReach & { lane: number; due_at: number | null; mcp_id: string | null };

type ReplayRow = Omit<ReplayRange, 'seesAll' | 'sawAll'> & { sees_all: number };

type RepeatedRow = Identified & { number: number; event: number; created_at: number };

type DeliveryRow = {
  number: number;
  id: string;
  publisher: string;
  source: string;
  type: string;
  created_at: number;
  is_notice: number;
  replay_of: number | null;
};

function toDelivery(
  row: DeliveryRow,
  { stretch, lane, attempts }: { stretch: Stretch; lane: LaneRow; attempts: readonly Attempt[] },
): LoggedDelivery {
  const state = row.is_notice === 1 ? stretch.noticeState : stretch.state;
  const isOf = (number: number | null, { first, last }: Attempt) =>
    number !== null && first <= number && number <= last;
  return {
    number: row.number,
    eventId: knownId(row, { isForMcp: lane.mcp_id !== null }),
    eventType: row.type,
    state,
    reason: state === stretch.state ? stretch.reason : undefined,
    createdAt: row.created_at,
    nextAttemptAt: state === 'RETRYING' ? (lane.due_at ?? undefined) : undefined,
    attempts: attempts.filter((one) => isOf(row.number, one) || isOf(row.replay_of, one)),
  };
}

/** The columns of a lane from which the states of its deliveries follow. */
type LaneReach = {
  readonly last_number: number;
  readonly cursor: number;
  readonly attempts: number;
  readonly tried_through: number;
};

/** A range of numbers that were held or given up; one without an end still grows. */
export type ExceptionRange = {
  readonly first_number: number;
  readonly last_number: number | null;
  readonly state: 'HELD' | 'UNDELIVERED';
  readonly reason: string;
};

/** Numbers of a lane that share a state, except that lifecycle events among them may have their own. */
type Stretch = {
  readonly first: number;
  readonly last: number;
  readonly state: DeliveryState;
  readonly noticeState: DeliveryState;
  /** Why they were held or given up. */
  readonly reason: string | undefined;
};

/**
 * Splits the numbers of a lane after `after` into stretches without gaps, up to the last number. Takes the exceptions
 * that end after it, in order and without overlaps. An exception does not hold lifecycle events after the cursor: these
 * are still sent (E14.32).
 */
export function splitLane(
  lane: LaneReach,
  { exceptions, after }: { exceptions: readonly ExceptionRange[]; after: number },
): Stretch[] {
  const { last_number: end, cursor, attempts, tried_through } = lane;
  const triedThrough = attempts > 0 ? Math.max(cursor, tried_through) : cursor;
  const ends = [cursor, triedThrough, end];
  for (const { first_number, last_number } of exceptions) {
    ends.push(first_number - 1, last_number ?? end);
  }
  const stretches: Stretch[] = [];
  let [next] = exceptions;
  let passed = 0;
  let first = after + 1;
  for (const last of ends.sort((a, b) => a - b)) {
    if (last < first || last > end) continue;
    while (next?.last_number != null && next.last_number < first) next = exceptions[++passed];
    const reached = first <= cursor ? 'DELIVERED' : first <= triedThrough ? 'RETRYING' : 'PENDING';
    const exception = next !== undefined && next.first_number <= first ? next : undefined;
    const state = exception?.state ?? reached;
    const noticeState = first <= cursor ? state : reached;
    stretches.push({ first, last, state, noticeState, reason: exception?.reason });
    first = last + 1;
  }
  return stretches;
}
