import type { Queries } from '../../../kernel/database/database.ts';
import { type Sql, sql, sqlList } from '../../../kernel/database/sql.ts';
import type { AfterWithin, Reach } from '../../model/caller.ts';
import { type Attempt, occurrenceId, type QueuedEvent } from '../../model/event.ts';
import type { NotificationEndpoint, PayloadOptions } from '../../model/subscription.ts';
import {
  inChunks,
  mcpIdOfLane,
  type OriginRow,
  originColumns,
  toOriginEvent,
  toQueuedEvent,
} from '../rows.ts';

/** Attempts of a lane that were written down together, the oldest first. */
export type AttemptStretch = {
  readonly position: number;
  readonly lane: number;
  readonly last: number;
  readonly attempts: readonly Attempt[];
};

/** The state of a subscription's lane. */
export type LaneStatus = {
  readonly lane: number;
  readonly subscriptionId: string;
  readonly endpoint: NotificationEndpoint;
  readonly payload: PayloadOptions | undefined;
  /** Set if an MCP client asked for the subscription: then events have the ids that it knows. */
  readonly mcpId: string | undefined;
  /** How many events are yet to be delivered. */
  readonly waiting: number;
  readonly failingSince: number | undefined;
  readonly nextAttemptAt: number | undefined;
};

type Place = Pick<AttemptStretch, 'last' | 'position'>;

/** The lanes by subscription; subscriptions without a lane are left out. */
export async function readLaneStatus(
  queries: Queries,
  subscriptionIds: readonly string[],
): Promise<Map<string, LaneStatus>> {
  const lanes: LaneStatus[] = [];
  for (const some of inChunks(subscriptionIds)) {
    lanes.push(...(await selectLanes(queries, sql`subscription_id IN ${sqlList(some)}`)));
  }
  return new Map(lanes.map((lane) => [lane.subscriptionId, lane]));
}

/** The lanes of these numbers. */
export async function findLaneStatus(
  queries: Queries,
  wanted: readonly number[],
): Promise<Map<number, LaneStatus>> {
  const lanes: LaneStatus[] = [];
  for (const some of inChunks(wanted)) {
    lanes.push(...(await selectLanes(queries, sql`lane IN ${sqlList(some)}`)));
  }
  return new Map(lanes.map((lane) => [lane.lane, lane]));
}

/** How many events were held or given up and not sent again, up to a limit. Reads only the ranges of such events. */
export async function countUndelivered(
  queries: Queries,
  lane: number,
  limit: number,
): Promise<number> {
  const row = await queries.first<{ count: number }>(sql`
    SELECT COUNT(*) AS count FROM (
      SELECT number FROM events_exceptions JOIN events_deliveries
        ON events_deliveries.lane = events_exceptions.lane AND number >= first_number
          AND number <= COALESCE(last_number, ${Number.MAX_SAFE_INTEGER})
      WHERE events_exceptions.lane = ${lane} AND is_notice = 0 AND is_replayed = 0
      LIMIT ${limit}) AS counted`);
  return row?.count ?? 0;
}

/** The attempts of one lane at or before a place, the newest first. */
export function listAttemptsBackwards(
  queries: Queries,
  {
    lane,
    through,
    limit,
  }: {
    readonly lane: number;
    readonly through: Place | undefined;
    readonly limit: number;
  },
): Promise<AttemptStretch[]> {
  return selectStretches(
    queries,
    sql`events_attempts.lane = ${lane} AND ${
      through === undefined
        ? sql`1 = 1`
        : sql`(events_attempts.last_number < ${through.last}
              OR (events_attempts.last_number = ${through.last} AND position <= ${through.position}))`
    }
        ORDER BY events_attempts.last_number DESC, position DESC LIMIT ${limit}`,
  );
}

/** The attempts of all lanes within reach after a position, the oldest first. */
export function listAttemptsAfter(
  queries: Queries,
  { reach, after, limit }: AfterWithin,
): Promise<AttemptStretch[]> {
  return selectStretches(
    queries,
    sql`position > ${after} AND ${inReach(reach)}
        ORDER BY position LIMIT ${limit}`,
  );
}

/** A lane whose events are shown. */
type ShownLane = Pick<LaneStatus, 'lane' | 'mcpId'>;

/** The events of a lane with these numbers. */
export async function readLaneEvents(
  queries: Queries,
  { lane, mcpId }: ShownLane,
  numbers: readonly number[],
): Promise<Map<number, QueuedEvent>> {
  const events = new Map<number, QueuedEvent>();
  for (const some of inChunks(numbers)) {
    const rows = await queries.all<OriginRow>(sql`
      SELECT number, id, type, subject, occurred_at, data, is_notice ${originColumns}
      FROM events_deliveries JOIN events_published ON position = event
      WHERE lane = ${lane} AND number IN ${sqlList(some)}`);
    for (const row of rows) {
      events.set(row.number, mcpId === undefined ? toQueuedEvent(row) : toOriginEvent(row, lane));
    }
  }
  return events;
}

/** The identity of an event, and the size of its data. */
export type ListedEvent = Pick<QueuedEvent, 'number' | 'id' | 'type' | 'subject'> & {
  readonly bytes: number;
};

type ListedRow = ListedEvent & { publisher: string; source: string; is_notice: number };

/** Events of a lane without their data, by number. */
export async function listLaneEvents(
  queries: Queries,
  { lane, mcpId }: ShownLane,
  numbers: readonly number[],
): Promise<Map<number, ListedEvent>> {
  const events = new Map<number, ListedEvent>();
  for (const some of inChunks(numbers)) {
    const rows = await queries.all<ListedRow>(sql`
      SELECT number, id, publisher, source, is_notice, type, subject, octet_length(data) AS bytes
      FROM events_deliveries JOIN events_published ON position = event
      WHERE lane = ${lane} AND number IN ${sqlList(some)}`);
    for (const { publisher, source, is_notice, ...row } of rows) {
      const isPublished = mcpId === undefined || is_notice === 1;
      const id = isPublished ? row.id : occurrenceId(publisher, source, row.id);
      events.set(row.number, { ...row, id });
    }
  }
  return events;
}

/** Whether a row of `events_deliveries` was held or given up. */
export const isUndelivered: Sql = sql`EXISTS (
  SELECT 1 FROM events_exceptions
  WHERE events_exceptions.lane = events_deliveries.lane AND first_number <= number
    AND (last_number IS NULL OR last_number >= number))`;

async function selectLanes(queries: Queries, condition: Sql): Promise<LaneStatus[]> {
  const rows = await queries.all<LaneRow>(sql`
    SELECT lane, subscription_id, endpoint, payload, last_number, cursor, attempts, failing_since, due_at,
      ${mcpIdOfLane} AS mcp_id
    FROM events_lanes WHERE ${condition}`);
  return rows.map(toLaneStatus);
}

async function selectStretches(queries: Queries, rest: Sql): Promise<AttemptStretch[]> {
  const rows = await queries.all<StretchRow>(sql`
    SELECT position, events_attempts.lane, events_attempts.last_number AS last, log
    FROM events_attempts JOIN events_lanes ON events_lanes.lane = events_attempts.lane
    WHERE ${rest}`);
  return rows.map(({ log, ...row }) => ({ ...row, attempts: JSON.parse(log) }));
}

function inReach(reach: Reach): Sql {
  switch (reach.of) {
    case 'everybody':
      return sql`1 = 1`;
    case 'person':
      return sql`account = ${reach.account}`;
    case 'principal':
      return sql`principal = ${reach.principal}`;
  }
}

type StretchRow = { position: number; lane: number; last: number; log: string };

type LaneRow = {
  lane: number;
  subscription_id: string;
  endpoint: string;
  payload: string | null;
  last_number: number;
  cursor: number;
  attempts: number;
  failing_since: number | null;
  due_at: number | null;
  mcp_id: string | null;
};

function toLaneStatus(row: LaneRow): LaneStatus {
  return {
    lane: row.lane,
    subscriptionId: row.subscription_id,
    endpoint: JSON.parse(row.endpoint),
    payload: row.payload === null ? undefined : JSON.parse(row.payload),
    mcpId: row.mcp_id ?? undefined,
    waiting: row.last_number - row.cursor,
    failingSince: row.failing_since ?? undefined,
    nextAttemptAt: row.attempts > 0 ? (row.due_at ?? undefined) : undefined,
  };
}
