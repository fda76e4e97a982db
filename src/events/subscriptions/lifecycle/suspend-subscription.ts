import type { Transaction } from '../../../kernel/database/database.ts';
import { EventsError } from '../../errors/events-error.ts';
import type { SubscriptionId, SuspensionReason } from '../../model/subscription.ts';
import { findSubscription } from '../../store/subscription-store.ts';
import type { SubscriptionContext } from '../subscription-context.ts';
import { applyTransition } from './apply-transition.ts';

/**
 * Suspends a subscription for an error of its endpoint, target or permission (E5.3). A suspended one keeps its first
 * reason (E5.4), and an ended one stays ended. Returns whether it was suspended now.
 */
export async function suspendSubscription(
  context: Pick<SubscriptionContext, 'database' | 'clock' | 'queues' | 'sourceHost'>,
  {
    id,
    reason,
    also,
  }: {
    readonly id: SubscriptionId;
    readonly reason: SuspensionReason;
    /** Further writes in the transaction of the suspension, if there is one. */
    also?(tx: Transaction): Promise<void>;
  },
): Promise<boolean> {
  for (;;) {
    const subscription = await findSubscription(context.database, id);
    if (subscription === undefined) return false;
    try {
      const trigger = { kind: 'suspend', reason } as const;
      const change = { subscription, trigger, ...(also && { also }) };
      return (await applyTransition(context, change)).next !== undefined;
    } catch (error) {
      // The subscription was changed meanwhile: reads it again to see whether it can still be suspended.
      if (!(error instanceof EventsError && error.code === 'ABORTED')) throw error;
    }
  }
}
