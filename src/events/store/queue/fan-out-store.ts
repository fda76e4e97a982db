import type { Queries, Transaction } from '../../../kernel/database/database.ts';
import { type Sql, sql } from '../../../kernel/database/sql.ts';

/** The parts of an event that decide which subscriptions get it. */
export type Addressed = {
  readonly event: {
    readonly type: string;
    readonly subject: string;
    /** The publisher; undefined for events of this server itself. */
    readonly publishedBy?: { readonly account: string } | undefined;
  };
  /** The targets that subscriptions to it may have. */
  readonly forms: readonly string[];
};

/** A stored event that is to be queued. */
export type FannedEvent = Addressed & { readonly position: number };

/** Events of one publication that are queued after their publisher was answered. */
export type FanOut = {
  readonly number: number;
  readonly events: readonly FannedEvent[];
  /** The lanes after `after` and up to `through` have yet to get the events. */
  readonly after: number;
  readonly through: number;
};

/** Wakes the processes that queue publications. */
export const fanOutChannel = 'events.fan-outs';

/** The publisher of rows from before rows had one: they count for every publisher, so all queue behind them. */
export const anyPublisher = '*';

/** The most events in one row, since a step works on one row; larger publications have several. */
const eventsInRow = 100;

/** Stores the events of a publisher in rows, and wakes the fan-out workers once that is committed. */
export async function addFanOut(
  tx: Transaction,
  publisher: string,
  events: readonly FannedEvent[],
): Promise<void> {
  for (let from = 0; from < events.length; from += eventsInRow) {
    const some = JSON.stringify(events.slice(from, from + eventsInRow));
    await tx.run(sql`
      INSERT INTO events_fan_outs (publisher, events, through_lane)
      SELECT CAST(${publisher} AS TEXT), CAST(${some} AS TEXT), COALESCE(MAX(lane), 0)
      FROM events_lanes`);
  }
  tx.notify(fanOutChannel);
}

/**
 * Locks the first row of the publisher that comes after `lastPublisher` in turn, until the transaction ends. Returns
 * only the publisher if another process holds that row. Undefined if nothing waits.
 */
export async function takeNextFanOut(
  tx: Transaction,
  lastPublisher: string,
): Promise<{ readonly publisher: string; readonly fanOut: FanOut | undefined } | undefined> {
  const find = (whose: Sql) =>
    tx.first<{ publisher: string; number: number }>(sql`
      SELECT publisher, number FROM events_fan_outs WHERE ${whose}
      ORDER BY publisher, number LIMIT 1`);
  const first =
    (await find(sql`publisher > ${lastPublisher}`)) ??
    (await find(sql`publisher <= ${lastPublisher}`));
  if (first === undefined) return undefined;
  const { publisher, number } = first;
  // Does not take the next row if another process holds this one: the events of a publisher are queued in order.
  const row = await tx.first<FanOutRow>(sql`
    SELECT events, after_lane, through_lane FROM events_fan_outs
    WHERE number = ${number} ${tx.dialect.skipLocked}`);
  if (row === undefined) return { publisher, fanOut: undefined };
  const events: FannedEvent[] = JSON.parse(row.events);
  const { after_lane: after, through_lane: through } = row;
  return { publisher, fanOut: { number, events, after, through } };
}

/** How many rows of each publisher wait. */
export async function countFanOuts(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.all<{ publisher: string; waiting: number }>(sql`
    SELECT publisher, COUNT(*) AS waiting FROM events_fan_outs GROUP BY publisher`);
  return new Map(rows.map(({ publisher, waiting }) => [publisher, waiting]));
}

/** Stores that every lane up to this one has the events. */
export async function advanceFanOut(
  tx: Transaction,
  { number }: FanOut,
  after: number,
): Promise<void> {
  await tx.run(sql`UPDATE events_fan_outs SET after_lane = ${after} WHERE number = ${number}`);
}

export async function removeFanOut(tx: Transaction, { number }: FanOut): Promise<void> {
  await tx.run(sql`DELETE FROM events_fan_outs WHERE number = ${number}`);
}

type FanOutRow = { events: string; after_lane: number; through_lane: number };
