import type { Transaction } from '../../../kernel/database/database.ts';
import { scheduleWork } from '../../../kernel/schedule/schedule-work.ts';
import type { Subscription } from '../../model/subscription.ts';
import { nextMoment } from './lifetime.ts';

/** The kind of scheduled work that sends reminders before subscriptions expire, and ends them. */
export const subscriptionMoments = 'events.subscription-moments';

/** What is scheduled: a moment, and the expiry it belongs to. */
export type MomentWork = { readonly moment: string; readonly expiresAt: number };

/** Schedules the next reminder or the end, in place of what was scheduled before (E3.27). */
export async function scheduleNextMoment(
  tx: Transaction,
  { subscription, now }: { readonly subscription: Subscription; readonly now: number },
): Promise<void> {
  const { id, expiresAt } = subscription;
  const { moment, at } = nextMoment(expiresAt, now);
  const payload: MomentWork = { moment, expiresAt };
  await scheduleWork(tx, { kind: subscriptionMoments, key: id, payload, dueAt: at });
}
