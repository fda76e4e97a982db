import type { Queries, Transaction } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type {
  NotificationEndpoint,
  PayloadOptions,
  SubscriptionId,
  SuspensionReason,
} from '../../model/subscription.ts';
import { lanesChannel, notifyDropped, notifyStreams } from './lane-notices.ts';

export type NewLane = {
  readonly subscriptionId: SubscriptionId;
  readonly uid: string;
  readonly principal: string;
  /** See `accountOf`. */
  readonly account: string;
  /** With the visibility `own`, it also gets the events of other accounts. */
  readonly seesAll: boolean;
  readonly endpoint: NotificationEndpoint;
  /** How data is narrowed; undefined where it is delivered whole. */
  readonly payload: PayloadOptions | undefined;
  /** The endpoint agreed to get events, or need not be asked. */
  readonly isAgreed: boolean;
  /** Sealed. */
  readonly secrets: string | undefined;
  /** Whether events are sent, rather than read here. */
  readonly isPushed: boolean;
  readonly isNarrow: boolean;
  /** When nothing more is sent (M42). */
  readonly expiresAt: number | undefined;
};

/** How long readers of an expired stream have to read its last event. */
const lastReading = 60_000;

export async function insertLane(tx: Transaction, { endpoint, ...lane }: NewLane): Promise<void> {
  const topic = endpoint.kind === 'pubsubTopic' ? endpoint.topic : null;
  const payload = lane.payload === undefined ? null : JSON.stringify(lane.payload);
  await tx.run(sql`
    INSERT INTO events_lanes (subscription_id, uid, principal, account, sees_all, endpoint, topic,
      payload, is_agreed, secrets, is_pushed, is_narrow, expires_at, state)
    VALUES (${lane.subscriptionId}, ${lane.uid}, ${lane.principal}, ${lane.account},
      ${lane.seesAll ? 1 : 0}, ${JSON.stringify(endpoint)}, ${topic}, ${payload},
      ${lane.isAgreed ? 1 : 0}, ${lane.secrets ?? null},
      ${lane.isPushed ? 1 : 0}, ${lane.isNarrow ? 1 : 0}, ${lane.expiresAt ?? null}, 'ACTIVE')`);
}

export async function suspendLane(
  tx: Transaction,
  { id, reason }: { readonly id: SubscriptionId; readonly reason: SuspensionReason },
): Promise<void> {
  const row = await lockLane(tx, id);
  if (row === undefined) return;
  const { lane, cursor, attempts, tried_through } = row;
  const hold = (first: number, last: number | null, state: 'HELD' | 'UNDELIVERED') =>
    tx.run(sql`
      INSERT INTO events_exceptions (lane, first_number, last_number, state, reason)
      VALUES (${lane}, ${first}, ${last}, ${state}, ${reason})`);
  const isGivenUp = attempts > 0 && tried_through > cursor;
  if (isGivenUp) await hold(cursor + 1, tried_through, 'UNDELIVERED');
  await hold(isGivenUp ? tried_through + 1 : cursor + 1, null, 'HELD');
  await tx.run(sql`
    UPDATE events_lanes SET state = 'SUSPENDED', cursor = last_number, due_at = NULL,
      owner = NULL, attempts = 0, failing_since = NULL
    WHERE lane = ${lane}`);
}

export async function resumeLane(tx: Transaction, id: SubscriptionId): Promise<void> {
  const row = await lockLane(tx, id);
  if (row === undefined) return;
  await tx.run(sql`
    UPDATE events_exceptions SET last_number = ${row.last_number}
    WHERE lane = ${row.lane} AND last_number IS NULL`);
  await tx.run(sql`
    DELETE FROM events_exceptions WHERE lane = ${row.lane} AND first_number > last_number`);
  await tx.run(sql`
    UPDATE events_lanes SET state = 'ACTIVE', cursor = last_number, due_at = NULL, owner = NULL,
      attempts = 0, failing_since = NULL
    WHERE lane = ${row.lane}`);
}

/** Resumes a lane at the first event that was held, so that all of them are delivered in order (M22). */
export async function resumeHeldLane(
  tx: Transaction,
  { id, now }: { readonly id: SubscriptionId; readonly now: number },
): Promise<void> {
  const row = await lockLane(tx, id);
  if (row === undefined) return;
  const held = await tx.first<{ number: number | null }>(sql`
    SELECT MIN(first_number) AS number FROM events_exceptions
    WHERE lane = ${row.lane} AND state = 'HELD'`);
  await tx.run(sql`DELETE FROM events_exceptions WHERE lane = ${row.lane} AND state = 'HELD'`);
  const cursor = Math.min(row.last_number, (held?.number ?? row.last_number + 1) - 1);
  await tx.run(sql`
    UPDATE events_lanes SET state = 'ACTIVE', cursor = ${cursor}, owner = NULL, attempts = 0,
      failing_since = NULL, given_up = 0, given_up_since = NULL,
      due_at = CASE WHEN is_pushed = 1 AND last_number > ${cursor} THEN CAST(${now} AS BIGINT) END
    WHERE lane = ${row.lane}`);
  tx.notify(lanesChannel);
}

/**
 * Sets the time from which on nothing is sent. Takes the lane from the process that delivers it, which knows the old
 * time.
 */
export async function renewLane(
  tx: Transaction,
  { id, expiresAt }: { readonly id: SubscriptionId; readonly expiresAt: number },
): Promise<void> {
  await tx.run(sql`
    UPDATE events_lanes SET expires_at = ${expiresAt}, owner = NULL WHERE subscription_id = ${id}`);
  tx.notify(lanesChannel);
}

/**
 * Drops what waits in a lane, so that only what is appended next is delivered before it ends. Returns false if the lane
 * is not delivered but read: then it has ended.
 */
export async function dropLane(tx: Transaction, id: SubscriptionId): Promise<boolean> {
  const row = await tx.first<{ lane: number; owner: string | null; is_pushed: number }>(sql`
    SELECT lane, owner, is_pushed FROM events_lanes
    WHERE subscription_id = ${id} AND state <> 'ENDED' ${tx.dialect.forUpdate}`);
  if (row?.is_pushed !== 1) {
    await endLaneOf(tx, id);
    return false;
  }
  notifyDropped(tx, row);
  await tx.run(sql`DELETE FROM events_exceptions WHERE lane = ${row.lane} AND last_number IS NULL`);
  await tx.run(sql`
    UPDATE events_lanes SET state = 'ACTIVE', is_ending = 1, cursor = last_number, owner = NULL,
      due_at = NULL, attempts = 0, failing_since = NULL, expires_at = NULL
    WHERE lane = ${row.lane}`);
  return true;
}

export async function finishLane(
  tx: Transaction,
  { id, now }: { readonly id: SubscriptionId; readonly now: number },
): Promise<void> {
  const ending = await tx.all<EndedRow>(sql`
    UPDATE events_lanes SET is_ending = 1,
      due_at = CASE WHEN is_pushed = 0 THEN ${now + lastReading}
        ELSE COALESCE(due_at, ${now}) END
    WHERE subscription_id = ${id} AND state <> 'ENDED' RETURNING lane, topic, is_pushed`);
  tx.notify(lanesChannel);
  notifyReaders(tx, ending);
}

export async function endLaneOf(tx: Transaction, id: SubscriptionId): Promise<void> {
  const held = await tx.first<{ lane: number; owner: string | null }>(sql`
    SELECT lane, owner FROM events_lanes WHERE subscription_id = ${id} ${tx.dialect.forUpdate}`);
  if (held !== undefined) notifyDropped(tx, held);
  const ended = await tx.all<EndedRow>(sql`
    UPDATE events_lanes SET state = 'ENDED', due_at = NULL, owner = NULL
    WHERE subscription_id = ${id} RETURNING lane, topic, is_pushed`);
  notifyReaders(tx, ended);
}

/** The value of `sees_all` in a lane that got the events of every account before. */
const wasNarrowed = 2;

/** Whether the lane gets the events of every account, see `NewLane`. */
export async function seesAllEvents(
  queries: Pick<Queries, 'first'>,
  id: SubscriptionId,
): Promise<boolean> {
  const row = await queries.first<{ sees_all: number }>(
    sql`SELECT sees_all FROM events_lanes WHERE subscription_id = ${id}`,
  );
  return row?.sees_all === 1;
}

/** From now on the lane gets the events of its own account alone. It is marked, since it holds those of others. */
export function narrowLane(tx: Pick<Queries, 'run'>, id: SubscriptionId): Promise<number> {
  return tx.run(
    sql`UPDATE events_lanes SET sees_all = ${wasNarrowed} WHERE subscription_id = ${id} AND sees_all = 1`,
  );
}

/** Whether the endpoint ever agreed to get events (N3). */
export async function isLaneAgreed(
  queries: Pick<Queries, 'first'>,
  id: SubscriptionId,
): Promise<boolean> {
  const row = await queries.first<{ is_agreed: number }>(
    sql`SELECT is_agreed FROM events_lanes WHERE subscription_id = ${id}`,
  );
  return row?.is_agreed === 1;
}

export async function readLaneSecrets(
  tx: Transaction,
  id: SubscriptionId,
): Promise<string | undefined> {
  const row = await tx.first<{ secrets: string | null }>(sql`
    SELECT secrets FROM events_lanes
    WHERE subscription_id = ${id} AND state <> 'ENDED' ${tx.dialect.forUpdate}`);
  return row?.secrets ?? undefined;
}

/**
 * Takes the lane from the process that delivers it, so that events it has not read yet are signed with the new secret.
 */
export async function writeLaneSecrets(
  tx: Transaction,
  { id, secrets }: { readonly id: SubscriptionId; readonly secrets: string },
): Promise<void> {
  await tx.run(sql`
    UPDATE events_lanes SET secrets = ${secrets}, owner = NULL WHERE subscription_id = ${id}`);
  tx.notify(lanesChannel);
}

function lockLane(tx: Transaction, id: SubscriptionId): Promise<LaneRow | undefined> {
  return tx.first<LaneRow>(sql`
    SELECT lane, last_number, cursor, attempts, tried_through FROM events_lanes
    WHERE subscription_id = ${id} AND state <> 'ENDED' ${tx.dialect.forUpdate}`);
}

function notifyReaders(tx: Transaction, lanes: readonly EndedRow[]): void {
  notifyStreams(
    tx,
    lanes.filter(({ is_pushed }) => is_pushed === 0),
  );
}

type EndedRow = { lane: number; topic: string | null; is_pushed: number };

type LaneRow = {
  lane: number;
  last_number: number;
  cursor: number;
  attempts: number;
  tried_through: number;
};
