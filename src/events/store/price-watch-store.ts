import type { Database, Queries, Transaction } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import type { Subscription, SubscriptionId } from '../model/subscription.ts';
import type { ToldPrice } from '../model/told-price.ts';

/** A subscription to a pair, with what it was last told. */
export type WatchingSubscription = Pick<
  Subscription,
  'id' | 'uid' | 'targetResource' | 'eventTypes' | 'swapOptions'
> & { readonly told: ToldPrice | undefined };

/** Subscriptions that want one of these types; the suspended too, for whom events are held. */
export async function listWatching(
  queries: Queries,
  query: { eventTypes: readonly string[]; now: number },
): Promise<WatchingSubscription[]> {
  const rows = await queries.all<WatchingRow>(sql`
    SELECT id, uid, target_resource, event_types, swap_options, told
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
    swapOptions: row.swap_options === null ? undefined : JSON.parse(row.swap_options),
    told: row.told === null ? undefined : JSON.parse(row.told),
  }));
}

/**
 * Writes what a subscription is told, unless it was told something else meanwhile than `before`, as
 * by a process that has taken over. Answers whether it did.
 */
export async function writeTold(
  tx: Transaction,
  { id, before, told }: { id: string; before: ToldPrice | undefined; told: ToldPrice },
): Promise<boolean> {
  const text = JSON.stringify(told);
  const written =
    before === undefined
      ? await tx.run(sql`
          INSERT INTO events_price_watches (subscription_id, told) VALUES (${id}, ${text})
          ON CONFLICT (subscription_id) DO NOTHING`)
      : await tx.run(sql`
          UPDATE events_price_watches SET told = ${text}
          WHERE subscription_id = ${id} AND told = ${JSON.stringify(before)}`);
  return written === 1;
}

/** Forgets what subscriptions were told that are no more. */
export async function forgetTold(database: Database): Promise<void> {
  await database.run(sql`
    DELETE FROM events_price_watches WHERE subscription_id NOT IN (
      SELECT id FROM events_subscriptions WHERE state <> 'DELETED')`);
}

type WatchingRow = {
  id: string;
  uid: string;
  target_resource: string;
  event_types: string;
  swap_options: string | null;
  told: string | null;
};
