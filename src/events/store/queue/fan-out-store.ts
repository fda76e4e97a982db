import type { Database, Transaction } from '../../../kernel/database/database.ts';
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

/** Publications that wait to be queued, over a transaction of the caller. */
export type FanOutStore = {
  /** Keeps one row, and wakes who works on them once that is committed. */
  add(tx: Transaction, events: readonly FannedEvent[]): Promise<void>;
  /** The first of all, which nobody else gets before the transaction ends; undefined where another has it. */
  takeFirst(tx: Transaction): Promise<FanOut | undefined>;
  /** Every lane up to this one has it. */
  advance(tx: Transaction, fanOut: FanOut, after: number): Promise<void>;
  remove(tx: Transaction, fanOut: FanOut): Promise<void>;
};

export function createFanOutStore({ dialect }: Pick<Database, 'dialect'>): FanOutStore {
  return {
    async add(tx, events) {
      await tx.run(sql`
        INSERT INTO events_fan_outs (events, through_lane)
        SELECT CAST(${JSON.stringify(events)} AS TEXT), COALESCE(MAX(lane), 0) FROM events_lanes`);
      tx.notify(fanOutChannel);
    },
    async takeFirst(tx) {
      const first = await tx.first<{ number: number | null }>(
        sql`SELECT MIN(number) AS number FROM events_fan_outs`,
      );
      if (first === undefined || first.number === null) return undefined;
      // Not the next one where another has it: they are queued in order.
      const row = await tx.first<FanOutRow>(sql`
        SELECT number, events, after_lane, through_lane FROM events_fan_outs
        WHERE number = ${first.number} ${dialect.skipLocked}`);
      if (row === undefined) return undefined;
      const events: FannedEvent[] = JSON.parse(row.events);
      return { number: row.number, events, after: row.after_lane, through: row.through_lane };
    },
    async advance(tx, { number }, after) {
      await tx.run(sql`UPDATE events_fan_outs SET after_lane = ${after} WHERE number = ${number}`);
    },
    async remove(tx, { number }) {
      await tx.run(sql`DELETE FROM events_fan_outs WHERE number = ${number}`);
    },
  };
}

type FanOutRow = { number: number; events: string; after_lane: number; through_lane: number };
