import type { Queries } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** The latest time that any process has written, and the time of the database server, or of this process where it has none. */
export type StoredBeat = { readonly latest: number; readonly store: number };

/**
 * Writes the time of this process, and answers what stands there then. A later time of another process stays, unless
 * it is ahead by more than is believed: of this process by `mostAhead`, of the database server by `mostApart`.
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
