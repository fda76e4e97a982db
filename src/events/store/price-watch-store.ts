import type { Database, Queries, Transaction, Unlisten } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import { parsePairTarget } from '../model/application-options.ts';
import type { Subscription, SubscriptionId } from '../model/subscription.ts';
import { findSubscription, isOfAccount } from './subscription-store.ts';

/** A subscription to a pair, with what was last reported to it. */
export type WatchingSubscription = Pick<
  Subscription,
  'id' | 'uid' | 'targetResource' | 'eventTypes' | 'options'
> & { readonly lastReported: ReportedPrice | undefined };

/** Subscriptions to one of these types, also suspended ones, for which events are held. */
export async function listWatching(
  queries: Queries,
  query: { eventTypes: readonly string[]; now: number },
): Promise<WatchingSubscription[]> {
  const rows = await queries.all<WatchingRow>(sql`
    SELECT id, uid, target_resource, event_types, options, last_reported
    FROM events_subscriptions
    LEFT JOIN events_price_watches ON events_price_watches.subscription_id = id
    WHERE id IN (SELECT subscription_id FROM events_matches
        WHERE event_type IN ${sqlList(query.eventTypes)})
      AND state <> 'DELETED' AND expires_at > ${query.now}`);
  return rows.map((row) => ({
    id: row.id as SubscriptionId, // as the subscription store wrote it
    uid: row.uid,
    targetResource: row.target_resource,
    eventTypes: JSON.parse(row.event_types),
    options: JSON.parse(row.options),
    lastReported: row.last_reported === null ? undefined : JSON.parse(row.last_reported),
  }));
}

/**
 * Writes what is reported to a subscription, unless the last report is no longer `before`, for instance because another
 * process has taken over. Returns whether it did.
 */
export async function writeReported(
  tx: Transaction,
  {
    id,
    before,
    lastReported,
  }: { id: string; before: ReportedPrice | undefined; lastReported: ReportedPrice },
): Promise<boolean> {
  const text = JSON.stringify(lastReported);
  const written =
    before === undefined
      ? await tx.run(sql`
          INSERT INTO events_price_watches (subscription_id, last_reported) VALUES (${id}, ${text})
          ON CONFLICT (subscription_id) DO NOTHING`)
      : await tx.run(sql`
          UPDATE events_price_watches SET last_reported = ${text}
          WHERE subscription_id = ${id} AND last_reported = ${JSON.stringify(before)}`);
  return written === 1;
}

/** Deletes what was reported to subscriptions that no longer exist. */
export async function forgetReported(database: Database): Promise<void> {
  await database.run(sql`
    DELETE FROM events_price_watches WHERE subscription_id NOT IN (
      SELECT id FROM events_subscriptions WHERE state <> 'DELETED')`);
}

type WatchingRow = {
  id: string;
  uid: string;
  target_resource: string;
  event_types: string;
  options: string;
  last_reported: string | null;
};

/** One of those that `listWatching` lists; undefined where it is not among them. */
export async function findWatching(
  queries: Queries,
  query: { readonly id: SubscriptionId; readonly eventTypes: readonly string[]; now: number },
): Promise<WatchingSubscription | undefined> {
  const { id, eventTypes, now } = query;
  const found = await findSubscription(queries, id);
  if (found === undefined || found.state === 'DELETED' || found.expiresAt <= now) return undefined;
  if (!found.eventTypes.some((type) => eventTypes.includes(type))) return undefined;
  const row = await queries.first<{ last_reported: string }>(
    sql`SELECT last_reported FROM events_price_watches WHERE subscription_id = ${id}`,
  );
  return { ...found, lastReported: row && JSON.parse(row.last_reported) };
}

/** How many subscriptions to pairs an account has; read from the index of its person or its targets. */
export async function countPairsOfAccount(
  queries: Queries,
  owner: Parameters<typeof isOfAccount>[0],
): Promise<number> {
  const row = await queries.first<{ count: number }>(sql`
    SELECT COUNT(*) AS count FROM events_subscriptions
    WHERE ${isOfAccount(owner)} AND state <> 'DELETED'
      AND target_resource LIKE '//swap/chains/%/pairs/%'`);
  return row?.count ?? 0;
}

/** How many pairs are watched on a chain, each with its options; found by the event types of pairs. */
export async function countPairsOfChain(
  queries: Queries,
  chainId: number,
  eventTypes: readonly string[],
): Promise<number> {
  const row = await queries.first<{ count: number }>(sql`
    SELECT COUNT(*) AS count FROM (
      SELECT DISTINCT target_resource, options FROM events_subscriptions
      WHERE state <> 'DELETED' AND id IN (
        SELECT subscription_id FROM events_matches WHERE event_type IN ${sqlList(eventTypes)}
          AND target LIKE ${`//swap/chains/${chainId}/pairs/%`})) AS pairs`);
  return row?.count ?? 0;
}

/**
 * Whether a subscription already watches the same pair with the same options, so that another one costs nothing more.
 */
export async function isPairWatched(
  queries: Queries,
  { targetResource, options }: Pick<Subscription, 'targetResource' | 'options'>,
  eventTypes: readonly string[],
): Promise<boolean> {
  const row = await queries.first(sql`
    SELECT id FROM events_subscriptions
    WHERE state <> 'DELETED' AND options = ${JSON.stringify(options)} AND id IN (
      SELECT subscription_id FROM events_matches
      WHERE event_type IN ${sqlList(eventTypes)} AND target = ${targetResource})
    LIMIT 1`);
  return row !== undefined;
}

const channel = 'events.pairs';

/**
 * Notifies the price source, once the transaction has committed, that a subscription to a pair began, changed or ended.
 */
export function notifyPairs(
  tx: Transaction,
  { id, targetResource }: Pick<Subscription, 'id' | 'targetResource'>,
): void {
  if (parsePairTarget(targetResource) !== undefined) tx.notify(channel, id);
}

/**
 * Listens for changed subscriptions to pairs. The id is undefined if notifications were missed, so that any may have
 * changed.
 */
export function listenForPairs(
  database: Database,
  onChange: (id: SubscriptionId | undefined) => void,
): Promise<Unlisten> {
  return database.listen(channel, (id) => onChange(id as SubscriptionId | undefined)); // as `notifyPairs` wrote it
}

/** What was last reported about a pair: stored as JSON, and given back to the price source. */
export type ReportedPrice = {
  readonly amountIn: string;
  readonly amountOut: string;
  readonly route: string;
  readonly priceReportedAt: number;
  readonly routeReportedAt: number;
};
