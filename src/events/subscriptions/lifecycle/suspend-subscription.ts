import { EventsError } from '../../errors/events-error.ts';
import type { SubscriptionId, SuspensionReason } from '../../model/subscription.ts';
import { findSubscription } from '../../store/subscription-store.ts';
import type { SubscriptionContext } from '../subscription-context.ts';
import { applyTransition } from './apply-transition.ts';

/**
 * Suspends a subscription for an error of its endpoint, target or permission (E5.3). One that is suspended keeps its
 * first reason (E5.4), and one that is gone stays gone. Returns whether it did.
 */
export async function suspendSubscription(
  context: Pick<SubscriptionContext, 'database' | 'clock' | 'queues' | 'sourceHost'>,
  { id, reason }: { readonly id: SubscriptionId; readonly reason: SuspensionReason },
): Promise<boolean> {
  for (;;) {
    const subscription = await findSubscription(context.database, id);
    if (subscription === undefined) return false;
    try {
      const trigger = { kind: 'suspend', reason } as const;
      return (await applyTransition(context, { subscription, trigger })).next !== undefined;
    } catch (error) {
      // A change came in between; whether it still is to be suspended is seen by reading it again.
      if (!(error instanceof EventsError && error.code === 'ABORTED')) throw error;
    }
  }
}
