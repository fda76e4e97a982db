import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** The lowest and the highest position that is stored; undefined where there is none. */
export async function readVolumeEnds(
  queries: Queries,
): Promise<{ readonly first: number; readonly last: number } | undefined> {
  const row = await queries.first<{ first: number | null; last: number | null }>(
    sql`SELECT MIN(position) AS first, MAX(position) AS last FROM events_published`,
  );
  if (row === undefined || row.first === null || row.last === null) return undefined;
  return { first: row.first, last: row.last };
}

/**
 * Bytes of a row beside its texts, and of its place in two indexes; a delivery of it takes as much.
 * Small events would cost nothing without it.
 */
const bytesOfRow = 200;

/** Bytes of the events after one position and up to another, for each principal that published them. */
export async function measureVolume(
  queries: Queries,
  after: number,
  through: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.all<{ publisher: string; bytes: number }>(sql`
    SELECT publisher, SUM(octet_length(data) + octet_length(publisher) + octet_length(source)
      + octet_length(id) + octet_length(type) + octet_length(subject) + ${bytesOfRow}) AS bytes
    FROM events_published
    WHERE position > ${after} AND position <= ${through} GROUP BY publisher`);
  return new Map(rows.map(({ publisher, bytes }) => [publisher, bytes]));
}
