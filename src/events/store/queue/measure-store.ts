import type { Database, Queries } from '../../../kernel/database/database.ts';
import { sql, sqlRows } from '../../../kernel/database/sql.ts';
import { inChunks } from '../rows.ts';

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
 * About what an event takes on disk, with its rows and its places in two indexes [F58]. The index of publisher, source and id
 * is filled to about seven tenths. SQLite stores as many rows in a page of 4 KiB as fit as a whole, so rows above a
 * thousand bytes take an equal part of it, and larger ones pages of their own. PostgreSQL compresses data of more than 2 KB.
 */
const bytesOfEvent = {
  sqlite: sql`
    (CASE WHEN texts + data_bytes + 33 BETWEEN 1000 AND 4066
      THEN 4096 / (4084 / (texts + data_bytes + 33)) ELSE texts + data_bytes + 28 END) + key_bytes * 10 / 7 + 10`,
  postgres: sql`texts + data_bytes + key_bytes * 10 / 7 + 165`,
} as const;
const bytesOfData = {
  sqlite: sql`octet_length(data)`,
  postgres: sql`pg_column_size(data)`,
} as const;

/** What an event takes beside the text in which it was published: until it is measured it counts with this. */
export const bytesBesideText = { sqlite: 80, postgres: 160 } as const;

type Measured = Queries & Pick<Database, 'engine'>;

/** Bytes of the events after one position and up to another, for each principal that published them. */
export async function measureVolume(
  queries: Measured,
  after: number,
  through: number,
): Promise<ReadonlyMap<string, number>> {
  const { engine } = queries;
  const rows = await queries.all<{ publisher: string; bytes: number }>(sql`
    SELECT publisher, CAST(SUM(${bytesOfEvent[engine]}) AS BIGINT) AS bytes FROM (
      SELECT publisher, ${bytesOfData[engine]} AS data_bytes,
        octet_length(publisher) + octet_length(source) + octet_length(id) AS key_bytes,
        octet_length(publisher) + octet_length(source) + octet_length(id) + octet_length(type)
          + octet_length(subject) + COALESCE(octet_length(trace), 0) AS texts
      FROM events_published WHERE position > ${after} AND position <= ${through}) AS stored
    GROUP BY publisher`);
  return new Map(rows.map(({ publisher, bytes }) => [publisher, bytes]));
}

/** Bytes of the row of a delivery, and of its place in an index. */
export const bytesOfDelivery = 120;
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
