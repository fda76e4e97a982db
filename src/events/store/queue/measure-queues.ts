import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** What waits for receivers, over all subscriptions. */
export type QueueFigures = {
  /** Subscriptions that deliver, and those of them whose last attempt failed. */
  readonly active: number;
  readonly failing: number;
  readonly suspended: number;
  /** Events that are queued and not delivered yet, counted for each subscription. */
  readonly waiting: number;
  /** Events that were given up and can be replayed. */
  readonly undelivered: number;
};

/** Counts the queues: one row a subscription, not one an event. */
export async function measureQueues(queries: Pick<Queries, 'first'>): Promise<QueueFigures> {
  const lanes = await queries.first<Omit<QueueFigures, 'undelivered'>>(sql`
    SELECT CAST(COALESCE(SUM(CASE WHEN state = 'ACTIVE' THEN 1 ELSE 0 END), 0) AS BIGINT) AS active,
      CAST(COALESCE(SUM(CASE WHEN state = 'ACTIVE' AND attempts > 0 THEN 1 ELSE 0 END), 0) AS BIGINT) AS failing,
      CAST(COALESCE(SUM(CASE WHEN state = 'SUSPENDED' THEN 1 ELSE 0 END), 0) AS BIGINT) AS suspended,
      CAST(COALESCE(SUM(CASE WHEN state = 'ACTIVE' THEN last_number - cursor ELSE 0 END), 0) AS BIGINT) AS waiting
    FROM events_lanes`);
  const given = await queries.first<{ undelivered: number }>(sql`
    SELECT CAST(COALESCE(SUM(COALESCE(last_number, first_number) - first_number + 1), 0) AS BIGINT) AS undelivered
    FROM events_exceptions WHERE state = 'UNDELIVERED'`);
  const { active = 0, failing = 0, suspended = 0, waiting = 0 } = lanes ?? {};
  return { active, failing, suspended, waiting, undelivered: given?.undelivered ?? 0 };
}
