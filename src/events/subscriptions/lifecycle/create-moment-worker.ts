import type { Worker } from '../../../kernel/process/worker.ts';
import type { DueWork } from '../../../kernel/work/work.ts';
import { createWorkWorker, type WorkFailure } from '../../../kernel/work/work-worker.ts';
import type { Subscription } from '../../model/subscription.ts';
import { findSubscription, replaceSubscription } from '../../store/subscription-store.ts';
import type { SubscriptionContext } from '../subscription-context.ts';
import { applyTransition, lifecycleEvent } from './apply-transition.ts';
import { type MomentWork, scheduleNextMoment, subscriptionMoments } from './lifetime.ts';

type Options = Pick<
  SubscriptionContext,
  'database' | 'clock' | 'random' | 'queues' | 'sourceHost'
> & { readonly onFailure?: (failure: WorkFailure) => void };

/**
 * The worker that sends reminders before a subscription expires, and ends it when it has expired.
 */
export function createMomentWorker(options: Options): Worker {
  const { database, clock, queues, sourceHost } = options;

  /**
   * Sends a reminder and schedules the next moment, unless the subscription has changed since it
   * was read.
   */
  async function remind(subscription: Subscription, moment: string): Promise<void> {
    const now = clock.now();
    // MCP clients have asked for a time by which to refresh, and get no lifecycle events (M41).
    const isTold = subscription.mcp === undefined;
    await database.transaction(async (tx) => {
      // A write that changes nothing, for its condition: a subscription that was deleted meanwhile
      // gets no reminder.
      if (!(await replaceSubscription(tx, subscription, subscription))) return;
      const happening = 'expirationReminder';
      const event = lifecycleEvent({ happening, subscription, sourceHost, moment, now });
      if (isTold) await queues.enqueue(tx, { id: subscription.id, event });
      await scheduleNextMoment(tx, { subscription, now });
    });
  }

  async function handle({ key, payload }: DueWork): Promise<void> {
    const { moment, expiresAt } = payload as MomentWork; // as `scheduleNextMoment` wrote it
    const subscription = await findSubscription(database, key);
    // For a renewed subscription other moments are scheduled.
    if (subscription === undefined || subscription.expiresAt !== expiresAt) return;
    if (subscription.state === 'DELETED') return;
    if (clock.now() < expiresAt) return remind(subscription, moment);
    await applyTransition(options, { subscription, trigger: { kind: 'expire' } });
  }

  const name = `schedule-${subscriptionMoments}`;
  return createWorkWorker({ ...options, name, kinds: [subscriptionMoments], handle });
}
