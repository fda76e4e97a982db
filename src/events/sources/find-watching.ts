import type { Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { SubscriptionId } from '../model/subscription.ts';
import type { WatchingSubscription } from '../store/price-watch-store.ts';
import { findSubscription } from '../store/subscription-store.ts';

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
