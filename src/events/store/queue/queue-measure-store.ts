import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** How much waits to be delivered, over all processes of a database. */
export type QueueMeasures = {
  /** Events that lanes have still to deliver, those being delivered included. */
  readonly queued: number;
  /** Since when the longest overdue lane is due, in epoch milliseconds; failing lanes do not count. */
  readonly dueSince: number | undefined;
  readonly failingLanes: number;
  readonly failingSince: number | undefined;
  readonly suspendedLanes: number;
  /** Events that were held or given up, whether or not they were sent again since. */
  readonly undelivered: number;
};

/** Reads the measures: lanes with work by their partial indexes, and states by one look at each lane. */
export async function readQueueMeasures(database: Queries): Promise<QueueMeasures> {
  const working = await database.first<{
    queued: number | null;
    due_since: number | null;
    failing: number | null;
    failing_since: number | null;
  }>(sql`
    SELECT SUM(last_number - cursor) AS queued,
      MIN(CASE WHEN attempts = 0 THEN due_at END) AS due_since,
      SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) AS failing,
      MIN(failing_since) AS failing_since
    FROM events_lanes WHERE due_at IS NOT NULL AND state = 'ACTIVE'`);
  const suspended = await database.first<{ lanes: number }>(sql`
    SELECT COUNT(*) AS lanes FROM events_lanes WHERE state = 'SUSPENDED'`);
  return {
    queued: working?.queued ?? 0,
    dueSince: working?.due_since ?? undefined,
    failingLanes: working?.failing ?? 0,
    failingSince: working?.failing_since ?? undefined,
    suspendedLanes: suspended?.lanes ?? 0,
    undelivered: await countUndelivered(database),
  };
}

/** What waits for receivers, over all subscriptions. */
export type QueueFigures = {
  /** Subscriptions that deliver, and those of them whose last attempt failed. */
  readonly active: number;
  readonly failing: number;
  readonly suspended: number;
  /** Events that are queued and not delivered yet, counted for each subscription. */
  readonly waiting: number;
  /** As in {@link QueueMeasures}. */
  readonly undelivered: number;
};

/** Measures the queues; reads one row for each subscription, not for each event. */
export async function measureQueues(queries: Pick<Queries, 'first'>): Promise<QueueFigures> {
  const lanes = await queries.first<Omit<QueueFigures, 'undelivered'>>(sql`
    SELECT CAST(COALESCE(SUM(CASE WHEN state = 'ACTIVE' THEN 1 ELSE 0 END), 0) AS BIGINT) AS active,
      CAST(COALESCE(SUM(CASE WHEN state = 'ACTIVE' AND attempts > 0 THEN 1 ELSE 0 END), 0) AS BIGINT) AS failing,
      CAST(COALESCE(SUM(CASE WHEN state = 'SUSPENDED' THEN 1 ELSE 0 END), 0) AS BIGINT) AS suspended,
      CAST(COALESCE(SUM(CASE WHEN state = 'ACTIVE' THEN last_number - cursor ELSE 0 END), 0) AS BIGINT) AS waiting
    FROM events_lanes`);
  const { active = 0, failing = 0, suspended = 0, waiting = 0 } = lanes ?? {};
  return { active, failing, suspended, waiting, undelivered: await countUndelivered(queries) };
}

/** Adds up ranges instead of counting events. The range of a suspended subscription reaches to the end of its lane. */
async function countUndelivered(queries: Pick<Queries, 'first'>): Promise<number> {
  const row = await queries.first<{ undelivered: number }>(sql`
    SELECT CAST(COALESCE(SUM(
      COALESCE(events_exceptions.last_number, events_lanes.last_number) - first_number + 1), 0) AS BIGINT) AS undelivered
    FROM events_exceptions JOIN events_lanes ON events_lanes.lane = events_exceptions.lane`);
  return row?.undelivered ?? 0;
}
