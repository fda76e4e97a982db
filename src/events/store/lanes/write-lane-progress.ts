import type { Transaction } from '../../../kernel/database/database.ts';
import { type SqlValue, sql, sqlList, sqlRows } from '../../../kernel/database/sql.ts';
import type { Attempt } from '../../model/event.ts';
import { inChunks } from '../rows.ts';

/** The progress of a lane. */
export type LaneProgress = {
  readonly lane: number;
  readonly claim: number;
  readonly cursor: number;
  readonly attempts: number;
  readonly triedThrough: number;
  readonly failingSince: number | undefined;
  readonly log: readonly Attempt[];
  readonly isReleased: boolean;
  /** When a released lane is due; undefined means at once if there are more events. */
  readonly dueAt: number | undefined;
};

/**
 * Writes the cursors and attempts of many lanes in a few statements. Lanes that the owner no longer holds are returned
 * as lost: their cursors stay, but delivered events are taken out of held ranges. Also returns whether a released lane
 * is due right away.
 */
export async function writeLaneProgress(
  tx: Transaction,
  options: {
    readonly owner: string;
    readonly progress: readonly LaneProgress[];
    readonly now: number;
  },
): Promise<{ lost: LaneProgress[]; isMoreDue: boolean }> {
  const { owner, progress, now } = options;
  const claims = new Map<number, number>();
  const byLane = [...progress].sort((a, b) => a.lane - b.lane);
  for (const some of inChunks(byLane)) {
    const rows = await tx.all<{ lane: number; claim: number }>(sql`
      SELECT lane, claim FROM events_lanes
      WHERE lane IN ${sqlList(some.map(({ lane }) => lane))} AND owner = ${owner}
      ORDER BY lane ${tx.dialect.forUpdate}`);
    for (const { lane, claim } of rows) claims.set(lane, claim);
  }
  const ours = byLane.filter(({ lane, claim }) => claims.get(lane) === claim);
  const lost = byLane.filter(({ lane, claim }) => claims.get(lane) !== claim);
  const isMoreDue = await writeCursors(tx, ours, now);
  for (const one of lost) await releaseDelivered(tx, one);
  await writeAttempts(tx, byLane);
  return { lost, isMoreDue };
}

/** Events that were delivered but not yet written when the lane was suspended are not held. */
async function releaseDelivered(tx: Transaction, { lane, cursor, log }: LaneProgress) {
  const first = log[0]?.first ?? cursor + 1;
  await tx.run(sql`
    UPDATE events_exceptions SET first_number = ${cursor + 1}
    WHERE lane = ${lane} AND first_number >= ${first} AND first_number <= ${cursor}
      AND state = 'HELD'`);
  await tx.run(
    sql`DELETE FROM events_exceptions WHERE lane = ${lane} AND first_number > last_number`,
  );
}

/** Returns whether a released lane is due right away. */
async function writeCursors(
  tx: Transaction,
  progress: readonly LaneProgress[],
  now: number,
): Promise<boolean> {
  let isMoreDue = false;
  for (const some of inChunks(progress)) {
    const rows = some.map((one): SqlValue[] => [
      one.lane,
      one.cursor,
      one.attempts,
      one.triedThrough,
      one.failingSince ?? null,
      one.dueAt ?? null,
      one.isReleased ? 1 : 0,
    ]);
    const written = await tx.all<{ due_at: number | null; owner: string | null }>(sql`
      UPDATE events_lanes SET cursor = next.cursor, attempts = next.attempts,
        tried_through = next.tried_through, failing_since = next.failing_since,
        owner = CASE WHEN next.is_released = 1 THEN NULL ELSE owner END,
        due_at = CASE WHEN next.is_released = 0 THEN events_lanes.due_at
          WHEN next.due_at IS NOT NULL THEN next.due_at
          WHEN ${hasMore} THEN ${now} ELSE NULL END,
        state = CASE WHEN next.is_released = 1 AND next.due_at IS NULL AND is_ending = 1
          AND NOT ${hasMore} THEN 'ENDED' ELSE state END
      FROM (SELECT CAST(column1 AS BIGINT) AS lane, CAST(column2 AS BIGINT) AS cursor,
          CAST(column3 AS BIGINT) AS attempts, CAST(column4 AS BIGINT) AS tried_through,
          CAST(column5 AS BIGINT) AS failing_since, CAST(column6 AS BIGINT) AS due_at,
          CAST(column7 AS BIGINT) AS is_released
        FROM (VALUES ${sqlRows(rows)}) AS given) AS next
      WHERE events_lanes.lane = next.lane RETURNING events_lanes.due_at, owner`);
    isMoreDue ||= written.some(({ due_at, owner }) => owner === null && due_at === now);
  }
  return isMoreDue;
}

/** The join leaves out events that were pruned while they waited. */
const hasMore = sql`EXISTS (
  SELECT 1 FROM events_deliveries JOIN events_published ON position = event
  WHERE events_deliveries.lane = next.lane AND number > next.cursor
    AND (events_lanes.state = 'ACTIVE' OR is_notice = 1))`;

async function writeAttempts(tx: Transaction, progress: readonly LaneProgress[]): Promise<void> {
  const rows = progress.flatMap(({ lane, log }) => {
    const [first, last] = [log[0], log.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [[lane, first.first, last.last, JSON.stringify(log)]];
  });
  for (const some of inChunks(rows)) {
    await tx.run(sql`
      INSERT INTO events_attempts (lane, first_number, last_number, log) VALUES ${sqlRows(some)}`);
  }
}
