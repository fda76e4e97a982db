import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** How much waits to be delivered, over all processes of a database. */
export type QueueMeasures = {
  /** Events that lanes have still to deliver, those being delivered included. */
  readonly queued: number;
  /** Epoch milliseconds: the longest overdue lane, of those that have not failed. */
  readonly dueSince: number | undefined;
  readonly failingLanes: number;
  readonly failingSince: number | undefined;
  readonly suspendedLanes: number;
  /** Events that were given up. */
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
  const given = await database.first<{ undelivered: number | null }>(sql`
    SELECT SUM(last_number - first_number + 1) AS undelivered FROM events_exceptions
    WHERE last_number IS NOT NULL`);
  return {
    queued: working?.queued ?? 0,
    dueSince: working?.due_since ?? undefined,
    failingLanes: working?.failing ?? 0,
    failingSince: working?.failing_since ?? undefined,
    suspendedLanes: suspended?.lanes ?? 0,
    undelivered: given?.undelivered ?? 0,
  };
}
