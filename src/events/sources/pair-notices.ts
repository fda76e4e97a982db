import type { Database, Transaction, Unlisten } from '../../kernel/database/database.ts';
import type { Subscription, SubscriptionId } from '../model/subscription.ts';
import { parsePairTarget } from '../options/pair-target.ts';

const channel = 'events.pairs';

/** Tells the source of prices, once this is committed, that a subscription began, changed or ended, if it is to a pair. */
export function notifyPairs(
  tx: Transaction,
  { id, targetResource }: Pick<Subscription, 'id' | 'targetResource'>,
): void {
  if (parsePairTarget(targetResource) !== undefined) tx.notify(channel, id);
}

/** Hears which subscription to a pair changed; undefined where that was missed, so that any may have. */
export function listenForPairs(
  database: Database,
  onChange: (id: SubscriptionId | undefined) => void,
): Promise<Unlisten> {
  return database.listen(channel, (id) => onChange(id as SubscriptionId | undefined)); // as `notifyPairs` wrote it
}
