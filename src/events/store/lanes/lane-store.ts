import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { type Sql, sql, sqlList, sqlRows } from '../../../kernel/database/sql.ts';
import type { QueuedEvent } from '../../model/event.ts';
import type { NotificationEndpoint, PayloadOptions } from '../../model/subscription.ts';
import {
  type EventRow,
  type OriginRow,
  originColumns,
  toOriginEvent,
  toQueuedEvent,
} from '../rows.ts';
import { lanesChannel } from './lane-notices.ts';
import { type LaneProgress, writeLaneProgress } from './write-lane-progress.ts';

export type LaneClaim = {
  readonly lane: number;
  /** Counts the claims of the lane, so that a former holder and the present one can be distinguished. */
  readonly claim: number;
};

/** A lane that only this process delivers until it releases the lane or dies. */
export type ClaimedLane = LaneClaim & {
  readonly owner: string;
  readonly subscriptionId: string;
  readonly endpoint: NotificationEndpoint;
  readonly payload: PayloadOptions | undefined;
  readonly secrets: string | undefined;
  /** The endpoint agreed to get events (N3). */
  readonly isAgreed: boolean;
  readonly isSuspended: boolean;
  readonly isEnding: boolean;
  readonly cursor: number;
  /** How many events were after the cursor at the time of the claim. */
  readonly waiting: number;
  /** How often the events after the cursor have failed, up to which number, and since when. */
  readonly attempts: number;
  readonly triedThrough: number;
  readonly failingSince: number | undefined;
  /** From then on nothing is sent (M42). */
  readonly expiresAt: number | undefined;
  /** How many events in a row were given up although the receiver answered, and since when (M43). */
  readonly givenUp: number;
  readonly givenUpSince: number | undefined;
};

/** Whether a lane failed last time. */
export type LaneKind = 'failing' | 'others';

export type ClaimQuery = {
  readonly owner: string;
  readonly now: number;
  readonly limit: number;
  readonly kind: LaneKind;
  /** Only these; any if left out. */
  readonly lanes?: readonly number[] | undefined;
};

/** Renews the lease of the owner, and frees the lanes of processes whose lease has ended; returns how many. */
export function confirmWorker(
  database: Database,
  owner: string,
  { now, until }: { now: number; until: number },
): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO events_workers (owner, alive_until) VALUES (${owner}, ${until})
      ON CONFLICT (owner) DO UPDATE SET alive_until = excluded.alive_until`);
    await tx.run(sql`DELETE FROM events_workers WHERE alive_until < ${now}`);
    return tx.run(sql`
      UPDATE events_lanes SET owner = NULL WHERE lane IN (
        SELECT lane FROM events_lanes WHERE owner IS NOT NULL
          AND owner NOT IN (SELECT owner FROM events_workers)
        ORDER BY lane ${tx.dialect.forUpdate})`);
  });
}

/** Frees the owner's lanes for others; on the embedded file, where no other process can run, all lanes. */
export async function leaveLanes(database: Database, owner: string): Promise<void> {
  const isAlone = database.engine === 'sqlite' ? 1 : 0;
  await database.transaction(async (tx) => {
    await tx.run(sql`
      UPDATE events_lanes SET owner = NULL
      WHERE owner IS NOT NULL AND (owner = ${owner} OR ${isAlone} = 1)`);
    await tx.run(sql`DELETE FROM events_workers WHERE owner = ${owner} OR ${isAlone} = 1`);
    tx.notify(lanesChannel);
  });
}

/**
 * Frees lanes that the store assigns to the owner but that it does not hold, because a crash of the database lost their
 * release. Must not run while a claim is under way.
 */
export async function freeForgottenLanes(
  database: Database,
  owner: string,
  isHeld: (lane: LaneClaim) => boolean,
): Promise<void> {
  const owned = await database.all<LaneClaim>(
    sql`SELECT lane, claim FROM events_lanes WHERE owner = ${owner}`,
  );
  for (const { lane, claim } of owned.filter((one) => !isHeld(one))) {
    await database.run(sql`
      UPDATE events_lanes SET owner = NULL
      WHERE lane = ${lane} AND owner = ${owner} AND claim = ${claim}`);
  }
}

/**
 * Claims due lanes, either those that failed last time or the others. Claims and progress need not be durable: if a
 * crash loses the latest, events are delivered again, with the same ids and in order. After a crash of the database a
 * claimed lane may be one that the owner already holds, with the same claim count.
 */
export async function claimLanes(
  database: Database,
  { owner, now, limit, kind, lanes }: ClaimQuery,
): Promise<ClaimedLane[]> {
  const wanted = lanes === undefined ? sql`1 = 1` : sql`lane IN ${sqlList(lanes)}`;
  const rows = await database.relaxed.all<LaneRow>(sql`
    WITH due AS MATERIALIZED (
      SELECT lane FROM events_lanes
      WHERE due_at IS NOT NULL AND owner IS NULL AND ${kinds[kind]}
        AND due_at <= ${now} AND is_pushed = 1 AND ${wanted}
      ORDER BY due_at LIMIT ${limit} ${database.dialect.skipLocked})
    UPDATE events_lanes SET owner = ${owner}, claim = claim + 1
    WHERE lane IN (SELECT lane FROM due)
    RETURNING lane, claim, subscription_id, endpoint, payload, secrets, is_agreed, state, is_ending,
      last_number, cursor, attempts, tried_through, failing_since, expires_at, given_up, given_up_since`);
  return rows.map((row) => toClaimedLane(row, owner));
}

/** Where a reading begins, and how many events it gives at most. */
export type LaneRange = { readonly after: number; readonly limit: number };

/**
 * The events after a number: of a suspended lane only its lifecycle events, and none if the lane is no longer held
 * under this claim.
 */
export async function readLane(
  database: Database,
  { lane, owner, claim, isSuspended, endpoint }: ClaimedLane,
  { after, limit }: LaneRange,
): Promise<QueuedEvent[]> {
  const isForMcp = endpoint.kind === 'webhook' && endpoint.contentMode === 'MCP';
  const readWhere = (numbers: Sql) =>
    database.all<EventRow | PrunedRow>(sql`
      SELECT number, id, type, subject, occurred_at, data, is_notice, trace ${isForMcp ? originColumns : sql``}
      FROM events_deliveries LEFT JOIN events_published ON position = event
      WHERE lane = ${lane} AND ${numbers} AND EXISTS (
        SELECT 1 FROM events_lanes
        WHERE events_lanes.lane = ${lane} AND owner = ${owner} AND claim = ${claim})
      ORDER BY number LIMIT ${limit}`);
  for (let from = after; ; ) {
    // Reads a range, because PostgreSQL reads and sorts everything that waits in a lane if it assumes that the lane is
    // short. The range begins with the first event that exists, since waiting events may have been pruned.
    const rows = await readWhere(
      isSuspended
        ? sql`number > ${from} AND is_notice = 1`
        : sql`number > ${from} AND number < ${limit} + (
            SELECT MIN(number) FROM events_deliveries WHERE lane = ${lane} AND number > ${from})`,
    );
    const last = rows.at(-1);
    const events = rows.filter((row): row is EventRow => row.id !== null);
    if (events.length > 0 || last === undefined) {
      // Selected above.
      return isForMcp
        ? events.map((row) => toOriginEvent(row as OriginRow, lane))
        : events.map(toQueuedEvent);
    }
    // The events of all these deliveries were pruned.
    from = last.number;
  }
}

/** Writes progress. Returns which lanes were lost to other processes, and whether a released lane is due. */
export function writeProgress(
  database: Database,
  written: {
    readonly owner: string;
    readonly progress: readonly LaneProgress[];
    readonly now: number;
  },
): Promise<{ lost: LaneProgress[]; isMoreDue: boolean }> {
  return database.relaxed.transaction((tx) => writeLaneProgress(tx, written));
}

/** Takes a lifecycle event that was tried out of the held range of a suspended lane. */
export async function settleNotice(
  database: Database,
  { lane, number, failure }: { lane: number; number: number; failure?: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    // Locks the lane as suspension and reactivation do; otherwise they would miss the ranges that are written here.
    await tx.first(sql`SELECT lane FROM events_lanes WHERE lane = ${lane} ${tx.dialect.forUpdate}`);
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
}

/**
 * Marks an event as given up, after which the lane goes on with the next one (M43). The cursor is written with the
 * progress of the lane.
 */
export async function giveUpDelivery(
  database: Database,
  { lane, number, reason, now }: { lane: number; number: number; reason: string; now: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`
      UPDATE events_lanes SET given_up = given_up + 1, given_up_since = COALESCE(given_up_since, ${now})
      WHERE lane = ${lane}`);
    await tx.run(sql`
      INSERT INTO events_exceptions (lane, first_number, last_number, state, reason)
      VALUES (${lane}, ${number}, ${number}, 'UNDELIVERED', ${reason}) ON CONFLICT DO NOTHING`);
  });
}

/** The receiver accepted an event, so those that were given up before count no more. */
export async function forgetGivenUp(database: Database, lane: number): Promise<void> {
  await database.relaxed.run(sql`
    UPDATE events_lanes SET given_up = 0, given_up_since = NULL WHERE lane = ${lane}`);
}

/** Stores that the endpoint agreed, so that it is not asked again. */
export async function keepAgreement(database: Database, lane: number): Promise<void> {
  await database.run(sql`UPDATE events_lanes SET is_agreed = 1 WHERE lane = ${lane}`);
}

/** Ends a lane whose last events could not be delivered. */
export async function endLane(database: Database, lane: number): Promise<void> {
  await database.run(sql`
    UPDATE events_lanes SET state = 'ENDED', due_at = NULL, owner = NULL WHERE lane = ${lane}`);
}

/** Makes a lane due that waits for its next attempt; returns false if a process holds it or it is due already. */
export async function makeDue(tx: Transaction, lane: number, now: number): Promise<boolean> {
  const hurried = await tx.all(sql`
    UPDATE events_lanes SET due_at = ${now}
    WHERE lane = ${lane} AND owner IS NULL AND is_pushed = 1 AND due_at > ${now} RETURNING lane`);
  return hurried.length > 0;
}

/** When the next lane falls due, of those that failed last time and of the others; `Infinity` if none does. */
export async function nextDueAt(
  database: Database,
  now: number,
): Promise<Record<LaneKind, number>> {
  const nextOf = (kind: LaneKind) => sql`(
    SELECT due_at FROM events_lanes
    WHERE due_at IS NOT NULL AND owner IS NULL AND ${kinds[kind]} AND due_at > ${now}
      AND is_pushed = 1
    ORDER BY due_at LIMIT 1)`;
  const next = await database.first<Record<LaneKind, number | null>>(
    sql`SELECT ${nextOf('failing')} AS failing, ${nextOf('others')} AS others`,
  );
  return { failing: next?.failing ?? Infinity, others: next?.others ?? Infinity };
}

const kinds: Record<LaneKind, Sql> = { failing: sql`attempts > 0`, others: sql`attempts = 0` };

type PrunedRow = { number: number; id: null };
type HeldRange = { first_number: number; last_number: number | null; reason: string };

type LaneRow = {
  lane: number;
  claim: number;
  subscription_id: string;
  endpoint: string;
  payload: string | null;
  secrets: string | null;
  is_agreed: number;
  state: string;
  is_ending: number;
  last_number: number;
  cursor: number;
  attempts: number;
  tried_through: number;
  failing_since: number | null;
  expires_at: number | null;
  given_up: number;
  given_up_since: number | null;
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
    isAgreed: row.is_agreed === 1,
    isSuspended: row.state === 'SUSPENDED',
    isEnding: row.is_ending === 1,
    cursor: row.cursor,
    waiting: row.last_number - row.cursor,
    attempts: row.attempts,
    triedThrough: row.tried_through,
    failingSince: row.failing_since ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    givenUp: row.given_up,
    givenUpSince: row.given_up_since ?? undefined,
  };
}
