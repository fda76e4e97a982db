import { createHash } from 'node:crypto';
import type { Queries } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import type { CursorPlace } from '../model/event.ts';

type CallbackPass = {
  readonly principal: string;
  /** As it was sent. Only a hash of it is stored, since it may hold a key of its receiver. */
  readonly url: string;
};

function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}

/** When the callback last passed a challenge for the principal, if it did. */
export async function findCallbackPass(
  queries: Queries,
  { principal, url }: CallbackPass,
): Promise<number | undefined> {
  const row = await queries.first<{ passed_at: number }>(sql`
    SELECT passed_at FROM events_callback_checks
    WHERE principal = ${principal} AND url_hash = ${hashOf(url)}`);
  return row?.passed_at;
}

export async function putCallbackPass(
  queries: Queries,
  { principal, url, passedAt }: CallbackPass & { readonly passedAt: number },
): Promise<void> {
  await queries.run(sql`
    INSERT INTO events_callback_checks (principal, url_hash, passed_at)
    VALUES (${principal}, ${hashOf(url)}, ${passedAt})
    ON CONFLICT (principal, url_hash) DO UPDATE SET passed_at = excluded.passed_at`);
}

/** Deletes some of the passes from before a time; returns how many. */
export function pruneCallbackPasses(
  queries: Queries,
  { passedBefore, limit }: { passedBefore: number; limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM events_callback_checks WHERE (principal, url_hash) IN (
      SELECT principal, url_hash FROM events_callback_checks
      WHERE passed_at < ${passedBefore} LIMIT ${limit})`);
}

/** The position of the newest stored event; 0 if there is none. */
export async function readNewestPosition(queries: Pick<Queries, 'first'>): Promise<number> {
  const row = await queries.first<{ position: number | null }>(
    sql`SELECT MAX(position) AS position FROM events_published`,
  );
  return row?.position ?? 0;
}

/** The position of the oldest stored event; undefined if there is none. */
export async function readOldestPosition(
  queries: Pick<Queries, 'first'>,
): Promise<number | undefined> {
  const row = await queries.first<{ position: number | null }>(
    sql`SELECT MIN(position) AS position FROM events_published`,
  );
  return row?.position ?? undefined;
}

/** A stored event, as far as it decides who gets it. */
export type StoredEvent = {
  readonly position: number;
  readonly subject: string;
  readonly publisher: string;
  readonly acceptedAt: number;
};

/** The events of a type in a range of positions, in order. Reads the range once, whatever is in it. */
export async function listStoredOfType(
  queries: Queries,
  { type, after, through }: { type: string; after: number; through: number },
): Promise<StoredEvent[]> {
  const rows = await queries.all<Omit<StoredEvent, 'acceptedAt'> & { accepted_at: number }>(sql`
    SELECT position, subject, publisher, accepted_at FROM events_published
    WHERE position > ${after} AND position <= ${through} AND type = ${type} ORDER BY position`);
  return rows.map(({ accepted_at: acceptedAt, ...row }) => ({ ...row, acceptedAt }));
}

/** The queue of a subscription, as a cursor sees it. */
export type QueueState = {
  readonly lane: number;
  readonly cursor: number;
  readonly lastNumber: number;
};

export async function readQueueState(
  queries: Pick<Queries, 'first'>,
  subscriptionId: string,
): Promise<QueueState | undefined> {
  const row = await queries.first<{ lane: number; cursor: number; last_number: number }>(sql`
    SELECT lane, cursor, last_number FROM events_lanes WHERE subscription_id = ${subscriptionId}`);
  return row && { lane: row.lane, cursor: row.cursor, lastNumber: row.last_number };
}

/**
 * The place of a number in a queue (M26): where its event is stored, or where the newest of all is if nothing comes after it
 * there. `since` is where the queue began.
 */
export async function readPlace(
  queries: Pick<Queries, 'first'>,
  { lane, lastNumber }: Pick<QueueState, 'lane' | 'lastNumber'>,
  { number, since }: { number: number; since: number },
): Promise<CursorPlace> {
  if (number >= lastNumber) {
    const position = Math.max(since, await readNewestPosition(queries));
    return { position, lane, number: lastNumber };
  }
  const row = await queries.first<{ position: number }>(sql`
    SELECT COALESCE(watermark, event) AS position FROM events_deliveries
    WHERE lane = ${lane} AND number = ${number}`);
  return { position: row?.position ?? since, lane, number };
}

/** How far a queue reaches: the position of its last event (M26). */
export async function readWatermark(
  queries: Pick<Queries, 'first'>,
  lane: number,
): Promise<number> {
  const row = await queries.first<{ position: number }>(sql`
    SELECT COALESCE(watermark, event) AS position FROM events_deliveries
    WHERE lane = ${lane} ORDER BY number DESC LIMIT 1`);
  return row?.position ?? (await readNewestPosition(queries));
}

/** The first number that a queue still has; undefined if it has none. */
export async function readFirstNumber(
  queries: Pick<Queries, 'first'>,
  lane: number,
): Promise<number | undefined> {
  const row = await queries.first<{ number: number | null }>(
    sql`SELECT MIN(number) AS number FROM events_deliveries WHERE lane = ${lane}`,
  );
  return row?.number ?? undefined;
}

/** The last number of a queue whose event is stored at a position or before; 0 if there is none. */
export async function findNumberAt(
  queries: Pick<Queries, 'first'>,
  lane: number,
  position: number,
): Promise<number> {
  const row = await queries.first<{ number: number | null }>(sql`
    SELECT MAX(number) AS number FROM events_deliveries
    WHERE lane = ${lane} AND COALESCE(watermark, event) <= ${position}`);
  return row?.number ?? 0;
}

/** How many subscriptions of MCP clients are live, by whether events are posted to them. */
export async function countMcpSubscriptions(
  queries: Pick<Queries, 'all'>,
  now: number,
): Promise<{ readonly webhook: number; readonly poll: number }> {
  const rows = await queries.all<{ is_pushed: number; count: number }>(sql`
    SELECT is_pushed, COUNT(*) AS count FROM events_subscriptions
    JOIN events_lanes ON events_lanes.subscription_id = events_subscriptions.id
    WHERE mcp_id IS NOT NULL AND events_subscriptions.state IN ${sqlList(['ACTIVE', 'SUSPENDED'])}
      AND events_subscriptions.expires_at > ${now} GROUP BY is_pushed`);
  const count = (isPushed: number) => rows.find((row) => row.is_pushed === isPushed)?.count ?? 0;
  return { webhook: count(1), poll: count(0) };
}
