import type { Database } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

export type OldLanes = {
  readonly lanes: readonly number[];
  /** The lane up to which they were looked for. */
  readonly through: number;
};

/** How many lanes one query looks at. */
const lanesAtOnce = 5_000;
/** Few enough that other writers do not wait long. */
const rowsAtOnce = 500;

/** Of the next lanes after `after`, those whose log begins before a time; undefined after the last lane. */
export async function nextOldLanes(
  database: Database,
  after: number,
  before: number,
): Promise<OldLanes | undefined> {
  const end = await database.first<{ lane: number | null }>(
    sql`SELECT MAX(lane) AS lane FROM events_lanes`,
  );
  if (after >= (end?.lane ?? 0)) return undefined;
  const through = after + lanesAtOnce;
  const rows = await database.all<{ lane: number }>(sql`
    SELECT lane FROM events_lanes
    WHERE lane > ${after} AND lane <= ${through} AND ${before} > (
      SELECT created_at FROM events_deliveries
      WHERE events_deliveries.lane = events_lanes.lane ORDER BY number LIMIT 1)
    ORDER BY lane`);
  return { lanes: rows.map(({ lane }) => lane), through };
}

/** Deletes some of a lane's log from before a time, the oldest first; returns whether there may be more. */
export async function pruneLane(
  database: Database,
  lane: number,
  before: number,
): Promise<boolean> {
  const oldest = await database.all<{ number: number; created_at: number }>(sql`
    SELECT number, created_at FROM events_deliveries WHERE lane = ${lane}
    ORDER BY number LIMIT ${rowsAtOnce}`);
  const kept = oldest.findIndex(({ created_at }) => created_at >= before);
  const last = (kept === -1 ? oldest : oldest.slice(0, kept)).at(-1)?.number;
  if (last === undefined) return false;
  await database.transaction(async (tx) => {
    await tx.run(sql`
      DELETE FROM events_deliveries WHERE lane = ${lane} AND number <= ${last}`);
    await tx.run(sql`
      DELETE FROM events_attempts WHERE lane = ${lane} AND last_number <= ${last}`);
    await tx.run(sql`
      DELETE FROM events_exceptions WHERE lane = ${lane} AND last_number <= ${last}`);
  });
  return kept === -1;
}

/** Deletes some of the oldest events from before a time; returns whether there may be more. */
export async function pruneEvents(database: Database, before: number): Promise<boolean> {
  const row = await database.first<{ position: number | null }>(
    sql`SELECT MIN(position) AS position FROM events_published`,
  );
  if (row === undefined || row.position === null) return false;
  const deleted = await database.run(sql`
    DELETE FROM events_published
    WHERE position < ${row.position + rowsAtOnce} AND accepted_at < ${before}`);
  return deleted > 0;
}

/** Deletes some of the rows of ended lanes; returns whether there may be more. */
export async function pruneEnded(database: Database, now: number): Promise<boolean> {
  await database.run(sql`
    UPDATE events_lanes SET state = 'ENDED', due_at = NULL
    WHERE is_pushed = 0 AND is_ending = 1 AND state <> 'ENDED' AND due_at <= ${now}`);
  const ended = await database.first<{ lane: number }>(sql`
    SELECT lane FROM events_lanes WHERE state = 'ENDED' ORDER BY lane LIMIT 1`);
  if (ended === undefined) return false;
  const { lane } = ended;
  await database.transaction(async (tx) => {
    const deleted = await tx.run(sql`
      DELETE FROM events_deliveries WHERE lane = ${lane} AND number IN (
        SELECT number FROM events_deliveries WHERE lane = ${lane} LIMIT ${rowsAtOnce})`);
    if (deleted === rowsAtOnce) return;
    await tx.run(sql`DELETE FROM events_attempts WHERE lane = ${lane}`);
    await tx.run(sql`DELETE FROM events_exceptions WHERE lane = ${lane}`);
    await tx.run(sql`DELETE FROM events_lanes WHERE lane = ${lane}`);
  });
  return true;
}
