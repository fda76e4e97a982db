import type { Database, Queries } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** The latest time that any process has written, and the time of the database server, or of this process without one. */
export type StoredBeat = { readonly latest: number; readonly store: number };

/**
 * Writes temporary rows that need new room on the disk of PostgreSQL. A beat, like any small change, succeeds on a full
 * disk, since it fits into pages that PostgreSQL already has.
 */
export async function takeRoom(database: Database): Promise<void> {
  // The embedded file needs room for each commit.
  if (database.engine !== 'postgres') return;
  await database.transaction(async (tx) => {
    await tx.run(sql`CREATE TEMPORARY TABLE room (filling TEXT) ON COMMIT DROP`);
    await tx.run(sql`INSERT INTO room SELECT repeat('x', 1000) FROM generate_series(1, 100)`);
  });
}

/**
 * Writes the time of this process, and returns the stored time. A later time of another process stays, unless it is
 * implausible: ahead of the database server by more than `mostApart` or, if that has no clock, ahead of this
 * process by more than `mostAhead`.
 */
export function writeBeat(
  queries: Queries,
  { now, mostAhead, mostApart }: { now: number; mostAhead: number; mostApart: number },
): Promise<StoredBeat | undefined> {
  const { time } = queries.dialect;
  return queries.first<StoredBeat>(
    time === undefined
      ? sql`
        UPDATE heartbeat SET latest =
          CASE WHEN latest > ${now} AND latest <= ${now + mostAhead} THEN latest ELSE ${now} END
        WHERE id = 1 RETURNING latest, CAST(${now} AS BIGINT) AS store`
      : sql`
        UPDATE heartbeat SET latest =
          LEAST(GREATEST(latest, CAST(${now} AS BIGINT)), ${time} + ${mostApart})
        WHERE id = 1 RETURNING latest, ${time} AS store`,
  );
}
