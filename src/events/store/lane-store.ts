import type { Database } from '../../kernel/database/database.ts';
import { type Sql, sql, sqlRows } from '../../kernel/database/sql.ts';
import type { QueuedEvent } from '../model/queued-event.ts';
import type { NotificationEndpoint, PayloadOptions } from '../model/subscription.ts';
import { type EventRow, toQueuedEvent } from './event-row.ts';
import { type LaneProgress, writeLaneProgress } from './write-lane-progress.ts';

export type LaneClaim = {
  readonly lane: number;
  /** Counts how often the lane was taken, so that who lost it and who has it now are told apart. */
  readonly claim: number;
};

/** A lane that this process has to itself until it releases it or dies. */
export type ClaimedLane = LaneClaim & {
  readonly owner: string;
  readonly subscriptionId: string;
  readonly endpoint: NotificationEndpoint;
  readonly payload: PayloadOptions | undefined;
  readonly secrets: string | undefined;
  readonly isSuspended: boolean;
  readonly isEnding: boolean;
  readonly cursor: number;
  /** How often what comes after the cursor has failed, up to which number, and since when. */
  readonly attempts: number;
  readonly triedThrough: number;
  readonly failingSince: number | undefined;
};

export type ClaimQuery = {
  readonly owner: string;
  readonly now: number;
  readonly limit: number;
  readonly isFailing: boolean;
};

/**
 * The delivering side of the lanes. Claims and progress need not be durable: a crash that takes the
 * latest of them makes events come again, with the same ids and in the same order.
 */
export type LaneStore = {
  /** Says that the owner is alive, and frees the lanes of those who no longer are. */
  confirm(owner: string, times: { now: number; until: number }): Promise<void>;
  /** Frees the owner's lanes, and on the embedded file those of all before it. */
  leave(owner: string): Promise<void>;
  /**
   * Frees lanes that are down as the owner's and that it does not hold, since a crash of the database
   * took that they were given back. Not to be asked while a claim is under way.
   */
  freeForgotten(owner: string, isHeld: (lane: LaneClaim) => boolean): Promise<void>;
  /**
   * Takes lanes that are due, either those that failed last time or the others. After a crash of the
   * database it may be one that the owner has, with the same count.
   */
  claim(query: ClaimQuery): Promise<ClaimedLane[]>;
  /**
   * What is due after a number: of a suspended lane only its own lifecycle events, and nothing of a
   * lane that is no longer the claimer's.
   */
  read(lane: ClaimedLane, query: { after: number; limit: number }): Promise<QueuedEvent[]>;
  /** Writes progress and answers which lanes were lost to others, and whether a released one is due. */
  write(written: {
    readonly owner: string;
    readonly progress: readonly LaneProgress[];
    readonly now: number;
  }): Promise<{ lost: LaneProgress[]; isMoreDue: boolean }>;
  /** Takes a lifecycle event out of what a suspended lane holds: it was tried. */
  settleNotice(notice: { lane: number; number: number; failure?: string }): Promise<void>;
  /** Ends a lane whose last events could not be delivered. */
  end(lane: number): Promise<void>;
  /** The next time a lane falls due. */
  nextDueAt(now: number): Promise<number | undefined>;
};

export function createLaneStore(database: Database): LaneStore {
  const { skipLocked, forUpdate } = database.dialect;

  return {
    async confirm(owner, { now, until }) {
      await database.transaction(async (tx) => {
        await tx.run(sql`
          INSERT INTO events_workers (owner, alive_until) VALUES (${owner}, ${until})
          ON CONFLICT (owner) DO UPDATE SET alive_until = excluded.alive_until`);
        await tx.run(sql`DELETE FROM events_workers WHERE alive_until < ${now}`);
        await tx.run(sql`
          UPDATE events_lanes SET owner = NULL WHERE lane IN (
            SELECT lane FROM events_lanes WHERE owner IS NOT NULL
              AND owner NOT IN (SELECT owner FROM events_workers)
            ORDER BY lane ${forUpdate})`);
      });
    },
    async leave(owner) {
      const isAlone = database.engine === 'sqlite' ? 1 : 0;
      await database.transaction(async (tx) => {
        await tx.run(sql`
          UPDATE events_lanes SET owner = NULL
          WHERE owner IS NOT NULL AND (owner = ${owner} OR ${isAlone} = 1)`);
        await tx.run(sql`DELETE FROM events_workers WHERE owner = ${owner} OR ${isAlone} = 1`);
      });
    },
    async freeForgotten(owner, isHeld) {
      const owned = await database.all<LaneClaim>(
        sql`SELECT lane, claim FROM events_lanes WHERE owner = ${owner}`,
      );
      for (const { lane, claim } of owned.filter((one) => !isHeld(one))) {
        await database.run(sql`
          UPDATE events_lanes SET owner = NULL
          WHERE lane = ${lane} AND owner = ${owner} AND claim = ${claim}`);
      }
    },
    async claim({ owner, now, limit, isFailing }) {
      const rows = await database.relaxed.all<LaneRow>(sql`
        WITH due AS MATERIALIZED (
          SELECT lane FROM events_lanes
          WHERE due_at IS NOT NULL AND owner IS NULL AND ${isFailing ? failing : unfailing}
            AND due_at <= ${now} AND is_pushed = 1
          ORDER BY due_at LIMIT ${limit} ${skipLocked})
        UPDATE events_lanes SET owner = ${owner}, claim = claim + 1
        WHERE lane IN (SELECT lane FROM due)
        RETURNING lane, claim, subscription_id, endpoint, payload, secrets, state, is_ending, cursor,
          attempts, tried_through, failing_since`);
      return rows.map((row) => toClaimedLane(row, owner));
    },
    async read({ lane, owner, claim, isSuspended }, { after, limit }) {
      const readWhere = (numbers: Sql) =>
        database.all<EventRow>(sql`
          SELECT number, id, type, subject, occurred_at, data, is_notice
          FROM events_deliveries JOIN events_published ON position = event
          WHERE lane = ${lane} AND ${numbers} AND EXISTS (
            SELECT 1 FROM events_lanes
            WHERE events_lanes.lane = ${lane} AND owner = ${owner} AND claim = ${claim})
          ORDER BY number LIMIT ${limit}`);
      if (isSuspended) {
        const notices = await readWhere(sql`number > ${after} AND is_notice = 1`);
        return notices.map(toQueuedEvent);
      }
      // By a range, for PostgreSQL reads and sorts all that waits in a lane which it takes for a short
      // one. There is nothing in it at the end of a lane, or where what waited was pruned.
      const end = after + limit;
      const next = await readWhere(sql`number > ${after} AND number <= ${end}`);
      const rows = next.length > 0 ? next : await readWhere(sql`number > ${end}`);
      return rows.map(toQueuedEvent);
    },
    write: (written) =>
      database.relaxed.transaction((tx) => writeLaneProgress(tx, { ...written, forUpdate })),
    async settleNotice({ lane, number, failure }) {
      await database.transaction(async (tx) => {
        // As suspension and reactivation do, which would else miss the ranges that are made here.
        await tx.first(sql`SELECT lane FROM events_lanes WHERE lane = ${lane} ${forUpdate}`);
        const range = await tx.first<HeldRange>(sql`
          SELECT first_number, last_number, reason FROM events_exceptions
          WHERE lane = ${lane} AND state = 'HELD' AND first_number <= ${number}
            AND (last_number IS NULL OR last_number >= ${number})`);
        if (range === undefined) return;
        const { first_number, last_number, reason } = range;
        await tx.run(sql`
          DELETE FROM events_exceptions WHERE lane = ${lane} AND first_number = ${first_number}`);
        const held = [
          ...(first_number < number ? [[lane, first_number, number - 1, 'HELD', reason]] : []),
          [lane, number + 1, last_number, 'HELD', reason],
          ...(failure === undefined ? [] : [[lane, number, number, 'UNDELIVERED', failure]]),
        ];
        await tx.run(sql`
          INSERT INTO events_exceptions (lane, first_number, last_number, state, reason)
          VALUES ${sqlRows(held)}`);
        await tx.run(sql`
          DELETE FROM events_exceptions WHERE lane = ${lane} AND first_number > last_number`);
      });
    },
    async end(lane) {
      await database.run(sql`
        UPDATE events_lanes SET state = 'ENDED', due_at = NULL, owner = NULL WHERE lane = ${lane}`);
    },
    async nextDueAt(now) {
      const nextOf = async (kind: Sql) => {
        const row = await database.first<{ due_at: number }>(sql`
          SELECT due_at FROM events_lanes
          WHERE due_at IS NOT NULL AND owner IS NULL AND ${kind} AND due_at > ${now}
            AND is_pushed = 1
          ORDER BY due_at LIMIT 1`);
        return row?.due_at ?? Infinity;
      };
      const next = Math.min(await nextOf(failing), await nextOf(unfailing));
      return next === Infinity ? undefined : next;
    },
  };
}

const failing = sql`attempts > 0`;
const unfailing = sql`attempts = 0`;

type HeldRange = { first_number: number; last_number: number | null; reason: string };

type LaneRow = {
  lane: number;
  claim: number;
  subscription_id: string;
  endpoint: string;
  payload: string | null;
  secrets: string | null;
  state: string;
  is_ending: number;
  cursor: number;
  attempts: number;
  tried_through: number;
  failing_since: number | null;
};

function toClaimedLane(row: LaneRow, owner: string): ClaimedLane {
  return {
    lane: row.lane,
    claim: row.claim,
    owner,
    subscriptionId: row.subscription_id,
    endpoint: JSON.parse(row.endpoint),
    payload: row.payload === null ? undefined : JSON.parse(row.payload),
    secrets: row.secrets ?? undefined,
    isSuspended: row.state === 'SUSPENDED',
    isEnding: row.is_ending === 1,
    cursor: row.cursor,
    attempts: row.attempts,
    triedThrough: row.tried_through,
    failingSince: row.failing_since ?? undefined,
  };
}
