import type { Queries } from '../../../kernel/database/database.ts';
import { sql, sqlRows } from '../../../kernel/database/sql.ts';
import { inChunks } from '../in-chunks.ts';

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
 * Bytes of a row beside its texts, and of its place in two indexes. Small events would cost nothing without it.
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

/** Bytes of the row of a delivery, and of its place in an index. */
const bytesOfDelivery = 120;
/** How many publishers one query reads, and how many rows one removes. */
const rowsAtOnce = 5_000;

/** Adds to the counts of deliveries that retention will have removed by a time. */
export async function addDeliveries(
  queries: Queries,
  deliveries: ReadonlyMap<string, number>,
  goneAt: number,
): Promise<void> {
  // In one order, so that two processes that add for the same publishers do not deadlock.
  const rows = [...deliveries]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([publisher, count]) => [publisher, goneAt, count]);
  for (const some of inChunks(rows)) {
    await queries.run(sql`
      INSERT INTO events_delivery_counts (publisher, gone_at, deliveries) VALUES ${sqlRows(some)}
      ON CONFLICT (publisher, gone_at)
      DO UPDATE SET deliveries = events_delivery_counts.deliveries + excluded.deliveries`);
  }
}

/** Bytes of the deliveries of each publisher that are stored at a time. */
export async function measureDeliveries(
  queries: Queries,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  // Begins with the last publisher again, because the server's own name is the empty text.
  for (let from = ''; ; ) {
    const rows = await queries.all<{ publisher: string; deliveries: number }>(sql`
      SELECT publisher, CAST(SUM(deliveries) AS BIGINT) AS deliveries FROM events_delivery_counts
      WHERE publisher >= ${from} AND gone_at > ${now}
      GROUP BY publisher ORDER BY publisher LIMIT ${rowsAtOnce}`);
    for (const { publisher, deliveries } of rows)
      bytes.set(publisher, deliveries * bytesOfDelivery);
    const last = rows.at(-1)?.publisher;
    if (last === undefined || last === from || rows.length < rowsAtOnce) return bytes;
    from = last;
  }
}

/** Deletes some of the counts of deliveries that retention has removed. */
export async function pruneDeliveryCounts(queries: Queries, now: number): Promise<void> {
  await queries.run(sql`
    DELETE FROM events_delivery_counts WHERE number IN (
      SELECT number FROM events_delivery_counts WHERE gone_at <= ${now} LIMIT ${rowsAtOnce})`);
}
