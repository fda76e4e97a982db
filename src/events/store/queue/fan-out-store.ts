import type { Transaction } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

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

/** A publication whose events are queued after its publisher was answered. */
export type FanOut = {
  readonly number: number;
  readonly events: readonly FannedEvent[];
  /** The lanes between these are still to get them: after the one, up to the other. */
  readonly after: number;
  readonly through: number;
};

/** Wakes the processes that queue publications. */
export const fanOutChannel = 'events.fan-outs';

/** Keeps one row, and wakes who works on them once that is committed. */
export async function addFanOut(tx: Transaction, events: readonly FannedEvent[]): Promise<void> {
  await tx.run(sql`
    INSERT INTO events_fan_outs (events, through_lane)
    SELECT CAST(${JSON.stringify(events)} AS TEXT), COALESCE(MAX(lane), 0) FROM events_lanes`);
  tx.notify(fanOutChannel);
}

/** The first of all, which nobody else gets before the transaction ends; undefined where another has it. */
export async function takeFirstFanOut(tx: Transaction): Promise<FanOut | undefined> {
  const first = await tx.first<{ number: number | null }>(
    sql`SELECT MIN(number) AS number FROM events_fan_outs`,
  );
  if (first === undefined || first.number === null) return undefined;
  // Not the next one where another has it: they are queued in order.
  const row = await tx.first<FanOutRow>(sql`
    SELECT number, events, after_lane, through_lane FROM events_fan_outs
    WHERE number = ${first.number} ${tx.dialect.skipLocked}`);
  if (row === undefined) return undefined;
  const events: FannedEvent[] = JSON.parse(row.events);
  return { number: row.number, events, after: row.after_lane, through: row.through_lane };
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

type FanOutRow = { number: number; events: string; after_lane: number; through_lane: number };
