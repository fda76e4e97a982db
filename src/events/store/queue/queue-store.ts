import type { Transaction } from '../../../kernel/database/database.ts';
import { type Sql, type SqlValue, sql, sqlList, sqlRows } from '../../../kernel/database/sql.ts';
import type { NewEvent } from '../../model/event.ts';
import {
  type AppendedLane,
  type Deliverer,
  notifyLanes,
  notifyStreams,
} from '../lanes/lane-notices.ts';
import { inChunks } from '../rows.ts';
import { anyPublisher } from './fan-out-store.ts';

/** A subscription that is found by an event's type and one of its target forms. */
export type Match = MatchKey & {
  readonly lane: number;
  /** Whether it gets no events of files below its target. */
  readonly isNarrow: boolean;
  /** The account of its owner, see `accountOf`. */
  readonly account: string;
  readonly seesAll: boolean;
  /** It gets each event by itself, never a batch of them (M41). */
  readonly isSingle?: boolean;
};

export type MatchKey = { readonly type: string; readonly target: string };

/** An entry for a lane: the position of a stored event, and the delivery that it replays, if any. */
export type QueueEntry = {
  readonly event: number;
  readonly createdAt: number;
  readonly replayOf?: number;
  /** How far the lane is, if that is not where the event is stored (M26). */
  readonly watermark?: number | undefined;
};

type EventIdentity = Pick<NewEvent, 'publishedBy' | 'source' | 'id'>;

/** The identity of an event: two with the same key are one event (F6). */
export function eventKey(event: EventIdentity): string {
  return keyOf(principalIn(event), event.source, event.id);
}

/** Events of this server itself have the empty name, which no principal has. */
export function principalIn({ publishedBy }: EventIdentity): string {
  return publishedBy?.principal ?? '';
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** Stores the events that are not stored yet and returns their positions, by `eventKey`. */
export async function insertEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  now: number,
): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  for (const some of inChunks(events)) {
    const rows = some.map((event) => [
      principalIn(event),
      event.source,
      event.id,
      event.type,
      event.subject,
      event.occurredAt,
      now,
      JSON.stringify(event.data),
      event.trace ?? null,
    ]);
    const inserted = await tx.all<InsertedRow>(sql`
      INSERT INTO events_published (publisher, source, id, type, subject, occurred_at, accepted_at, data, trace)
      VALUES ${sqlRows(rows)} ON CONFLICT (publisher, source, id) DO NOTHING
      RETURNING position, publisher, source, id`);
    for (const { position, publisher, source, id } of inserted) {
      positions.set(keyOf(publisher, source, id), position);
    }
  }
  return positions;
}

/** Stores events that may be stored already and returns the position of each, in order. */
export async function putEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  now: number,
): Promise<number[]> {
  const inserted = await insertEvents(tx, events, now);
  const positions: number[] = [];
  for (const event of events) {
    const position = inserted.get(eventKey(event)) ?? (await findEvent(tx, event));
    if (position !== undefined) positions.push(position);
  }
  return positions;
}

/** At most `most` subscriptions of these keys, and the publishers that have publications waiting to be queued (T12). */
export async function matchSubscriptions(
  tx: Transaction,
  keys: readonly MatchKey[],
  { most, publishers }: { readonly most: number; readonly publishers: readonly string[] },
): Promise<{ readonly matches: Match[]; readonly waiting: ReadonlySet<string> }> {
  const matches: Match[] = [];
  const waiting = new Set<string>();
  const anyOf = sqlList(padded([...publishers, anyPublisher]));
  for (const some of inChunks(keys)) {
    const rows = await tx.all<MatchRow>(sql`
      SELECT * FROM (${selectMatches(some)} LIMIT ${most}) AS found
      UNION ALL SELECT '', '', 0, 0, publisher, 0, NULL
        FROM (SELECT DISTINCT publisher FROM events_fan_outs WHERE publisher IN ${anyOf}) AS waiting`);
    for (const row of rows) {
      if (row.lane === 0) waiting.add(row.account);
      else matches.push(toMatch(row));
    }
    if (matches.length >= most) break;
  }
  return { matches, waiting: waiting.has(anyPublisher) ? new Set(publishers) : waiting };
}

/** Repeats the last value, so that lists have few lengths and few statements are prepared. */
function padded(values: readonly string[]): readonly string[] {
  const length = 2 * 10 ** Math.ceil(Math.log10(values.length / 2));
  return Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)] ?? '');
}

/** The matches of lanes after `after` and up to `through`, in the order of the lanes, at most `limit`. */
export async function matchLanes(
  tx: Transaction,
  keys: readonly MatchKey[],
  {
    after,
    through,
    limit,
  }: { readonly after: number; readonly through: number; readonly limit: number },
): Promise<Match[]> {
  const rows: MatchRow[] = [];
  for (const some of inChunks(keys)) {
    rows.push(
      ...(await tx.all<MatchRow>(sql`
        ${selectMatches(some)} WHERE lane > ${after} AND lane <= ${through}
        ORDER BY lane LIMIT ${limit}`)),
    );
  }
  return rows
    .sort((one, other) => one.lane - other.lane)
    .slice(0, limit)
    .map(toMatch);
}

export async function findLanes(
  tx: Transaction,
  subscriptionIds: readonly string[],
): Promise<number[]> {
  const lanes: number[] = [];
  for (const some of inChunks(subscriptionIds)) {
    const rows = await tx.all<{ lane: number }>(
      sql`SELECT lane FROM events_lanes WHERE subscription_id IN ${sqlList(some)}`,
    );
    lanes.push(...rows.map(({ lane }) => lane));
  }
  return lanes;
}

/** How entries get into lanes. */
export type Appending = {
  readonly now: number;
  /** Names the worker of this process to wake. */
  readonly deliverer: Deliverer;
  /** Lifecycle events, which are due also while the lane is suspended. */
  readonly isNotice?: boolean;
};

/** Appends entries to each lane in order and wakes the processes that deliver. Ended lanes get nothing. */
export async function appendToLanes(
  tx: Transaction,
  queued: ReadonlyMap<number, readonly QueueEntry[]>,
  { now, deliverer, isNotice = false }: Appending,
): Promise<void> {
  const deliveries: SqlValue[][] = [];
  const heads: SqlValue[][] = [];
  const pushed: AppendedLane[] = [];
  const read: Pick<LaneHead, 'lane' | 'topic'>[] = [];
  // Locks the lanes in order, so that two transactions that append to the same lanes do not deadlock.
  const lanes = [...queued.keys()].sort((a, b) => a - b);
  for (const some of inChunks(lanes)) {
    const rows = await tx.all<LaneHead>(sql`
      SELECT lane, last_number, is_pushed, topic, due_at, owner FROM events_lanes
      WHERE lane IN ${sqlList(some)} AND state <> 'ENDED' ORDER BY lane ${tx.dialect.forUpdate}`);
    for (const { lane, last_number, is_pushed, topic, due_at, owner } of rows) {
      const entries = queued.get(lane) ?? [];
      entries.forEach(({ event, createdAt, replayOf, watermark }, index) => {
        const number = last_number + 1 + index;
        const origin = [replayOf ?? null, watermark ?? null];
        deliveries.push([lane, number, event, createdAt, isNotice ? 1 : 0, ...origin]);
      });
      heads.push([lane, last_number + entries.length]);
      if (is_pushed === 0) read.push({ lane, topic });
      // A lane that is due only later, for instance after a failure, needs no notification now.
      else if (owner !== null || due_at === null || due_at <= now) pushed.push({ lane, owner });
    }
  }
  notifyStreams(tx, read);
  notifyLanes(tx, pushed, deliverer);
  for (const rows of inChunks(heads)) {
    await tx.run(sql`
      UPDATE events_lanes SET last_number = head.last_number,
        due_at = CASE WHEN due_at IS NULL AND is_pushed = 1
          AND (state = 'ACTIVE' OR ${isNotice ? 1 : 0} = 1) THEN ${now} ELSE due_at END
      FROM (SELECT CAST(column1 AS BIGINT) AS lane, CAST(column2 AS BIGINT) AS last_number
        FROM (VALUES ${sqlRows(rows)}) AS given) AS head
      WHERE events_lanes.lane = head.lane`);
  }
  for (const rows of inChunks(deliveries)) {
    await tx.run(sql`
      INSERT INTO events_deliveries (lane, number, event, created_at, is_notice, replay_of, watermark)
      VALUES ${sqlRows(rows)}`);
  }
}

function selectMatches(keys: readonly MatchKey[]): Sql {
  return sql`
    SELECT event_type, target, lane, is_narrow, account, sees_all, expires_at
    FROM (VALUES ${sqlRows(keys.map(({ type, target }) => [type, target]))}) AS wanted
    JOIN events_matches ON event_type = column1 AND target = column2
    JOIN events_lanes ON events_lanes.subscription_id = events_matches.subscription_id`;
}

function toMatch({
  event_type: type,
  target,
  lane,
  is_narrow,
  account,
  sees_all,
  expires_at,
}: MatchRow): Match {
  return {
    type,
    target,
    lane,
    isNarrow: is_narrow === 1,
    account,
    seesAll: sees_all === 1,
    isSingle: expires_at !== null,
  };
}

async function findEvent(tx: Transaction, event: NewEvent): Promise<number | undefined> {
  const row = await tx.first<{ position: number }>(sql`
    SELECT position FROM events_published
    WHERE publisher = ${principalIn(event)} AND source = ${event.source} AND id = ${event.id}`);
  return row?.position;
}

type InsertedRow = { position: number; publisher: string; source: string; id: string };
type LaneHead = {
  lane: number;
  last_number: number;
  is_pushed: number;
  topic: string | null;
  due_at: number | null;
  owner: string | null;
};
type MatchRow = {
  event_type: string;
  target: string;
  lane: number;
  is_narrow: number;
  account: string;
  sees_all: number;
  /** Only the queues of MCP clients have one. */
  expires_at: number | null;
};
