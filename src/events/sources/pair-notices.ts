import type { Database, Transaction, Unlisten } from '../../kernel/database/database.ts';
import type { Subscription, SubscriptionId } from '../model/subscription.ts';
import { parsePairTarget } from '../options/pair-target.ts';

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
