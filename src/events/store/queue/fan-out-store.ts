import type { Queries, Transaction } from '../../../kernel/database/database.ts';
import { type Sql, sql } from '../../../kernel/database/sql.ts';

/** What decides who gets an event. */
export type Addressed = {
  readonly event: {
    readonly type: string;
    readonly subject: string;
    /** Whose it is; undefined for what this server publishes itself. */
    readonly publishedBy?: { readonly account: string } | undefined;
  };
  /** The targets it may be found by. */
  readonly forms: readonly string[];
};

/** A stored event that is to be queued. */
export type FannedEvent = Addressed & { readonly position: number };

/** Events of one publication that are queued after their publisher was answered. */
export type FanOut = {
  readonly number: number;
  readonly events: readonly FannedEvent[];
  /** The lanes between these are still to get them: after the one, up to the other. */
  readonly after: number;
  readonly through: number;
};

/** Wakes the processes that queue publications. */
export const fanOutChannel = 'events.fan-outs';

/** Whose the rows are that were kept before rows had a publisher: everybody's, so that all go behind them. */
export const anyPublisher = '*';

/** Of a publication with more events each row has so many: a step works on one row. */
const eventsInRow = 100;

/** Keeps the events of a publisher in rows, and wakes who works on them once that is committed. */
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
 * The first of the publisher who comes after another in turn, which nobody else gets before the transaction ends; only
 * the publisher where another has it. Undefined where nothing waits.
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
  // Not the next one where another has it: those of a publisher are queued in order.
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

/** Every lane up to this one has it. */
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
