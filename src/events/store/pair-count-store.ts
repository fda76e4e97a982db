import type { Queries } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import type { Subscription } from '../model/subscription.ts';

/** How many subscriptions to pairs a principal has; read from the index of its targets. */
export async function countPairsOfPrincipal(queries: Queries, principal: string): Promise<number> {
  const row = await queries.first<{ count: number }>(sql`
    SELECT COUNT(*) AS count FROM events_subscriptions
    WHERE principal = ${principal} AND state <> 'DELETED'
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
