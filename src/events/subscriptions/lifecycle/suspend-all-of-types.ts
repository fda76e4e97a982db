import { listSubscriptionsOfTypes } from '../../store/subscription-store.ts';
import type { SubscriptionContext } from '../subscription-context.ts';
import { suspendSubscription } from './suspend-subscription.ts';

const idsReadAtOnce = 100;

/**
 * Suspends the subscriptions to one of these event types, because their targets no longer exist (E2.26): they can get
 * no more events, and their owners should know.
 */
export async function suspendAllOfTypes(
  context: Pick<SubscriptionContext, 'database' | 'clock' | 'queues' | 'sourceHost'>,
  eventTypes: readonly string[],
): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await listSubscriptionsOfTypes(context.database, {
      eventTypes,
      after,
      limit: idsReadAtOnce,
    });
    for (const id of ids) await suspendSubscription(context, { id, reason: 'RESOURCE_DELETED' });
    if (ids.length < idsReadAtOnce) return;
    after = ids.at(-1) ?? '';
  }
}
