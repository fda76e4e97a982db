import type { Transaction } from '../../../kernel/database/database.ts';
import { cancelWork } from '../../../kernel/work/work.ts';
import { terminatedBody } from '../../model/control-bodies.ts';
import type { NewEvent } from '../../model/event.ts';
import { EventsError } from '../../model/events-error.ts';
import { formatTimestamp } from '../../model/proto-fields.ts';
import {
  fullSubscriptionName,
  type Subscription,
  type SuspensionReason,
  subscriptionName,
} from '../../model/subscription.ts';
import { notifyPairs } from '../../store/price-watch-store.ts';
import { replaceSubscription } from '../../store/subscription-store.ts';
import type { SubscriptionContext } from '../subscription-context.ts';
import { scheduleNextMoment, subscriptionMoments } from './lifetime.ts';
import { type Transition, type Trigger, transition } from './transition.ts';

type TransitionOptions = {
  readonly subscription: Subscription;
  readonly trigger: Trigger;
  /** Further writes in the same transaction, such as the operation. */
  also?(tx: Transaction, next: Subscription): Promise<void>;
};

/**
 * Changes a subscription by one conditional write, and in the same transaction its queue, its lifecycle event and its
 * next moment (E5.11). Returns a refusal if the state does not allow the change. Throws `ABORTED` if another request
 * changed it since it was read (E4.6).
 */
export async function applyTransition(
  context: Pick<SubscriptionContext, 'database' | 'clock' | 'queues' | 'sourceHost'>,
  { subscription, trigger, also }: TransitionOptions,
): Promise<Transition> {
  const now = context.clock.now();
  const outcome = transition(subscription, { trigger, now });
  const { next } = outcome;
  if (next === undefined) return outcome;
  await context.database.transaction(async (tx) => {
    const isOurs = await replaceSubscription(tx, subscription, next);
    if (!isOurs) throw changedMeanwhile(subscription);
    notifyPairs(tx, next);
    await carryOut(tx, { trigger, next });
    await also?.(tx, next);
  });
  return outcome;

  async function carryOut(tx: Transaction, change: { trigger: Trigger; next: Subscription }) {
    const { queues, sourceHost } = context;
    const { id, mcp } = change.next;
    const over = (reason: SuspensionReason | 'DELETED') =>
      queues.terminate(tx, {
        id,
        event: terminatedBody({ subscription: change.next, reason, now }),
      });
    const tell = (happening: 'suspended' | 'expired') =>
      queues.enqueue(tx, {
        id,
        event: lifecycleEvent({ happening, subscription: change.next, sourceHost, now }),
      });
    switch (change.trigger.kind) {
      case 'patch':
        if (change.next.expiresAt === subscription.expiresAt) return;
        return scheduleNextMoment(tx, { subscription: change.next, now });
      case 'suspend':
        await queues.hold(tx, { id, reason: change.trigger.reason });
        return mcp === undefined ? tell('suspended') : undefined;
      case 'reactivate':
        return queues.resume(tx, id);
      case 'refresh':
        return scheduleNextMoment(tx, { subscription: change.next, now });
      case 'expire':
        // Nothing reaches an MCP client from then on, also of what waits (M42).
        if (mcp !== undefined) return queues.remove(tx, id);
        await tell('expired');
        return queues.finish(tx, id);
      case 'terminate':
        await cancelWork(tx, { kind: subscriptionMoments, key: id });
        return over(change.trigger.reason);
      case 'unsubscribe':
      case 'delete':
        await cancelWork(tx, { kind: subscriptionMoments, key: id });
        return mcp === undefined || change.trigger.kind === 'unsubscribe'
          ? queues.remove(tx, id)
          : over('DELETED');
    }
  }
}

function changedMeanwhile({ id }: Subscription): EventsError {
  const name = subscriptionName(id);
  return new EventsError(
    'ABORTED',
    `Somebody else changed ${name} meanwhile: read it again, then repeat your change.`,
    { reason: 'CONCURRENT_CHANGE', metadata: { name } },
  );
}

type Happening = 'suspended' | 'expirationReminder' | 'expired';

/**
 * The lifecycle event of a subscription (E10.8, E10.9); its data is in snake_case. The same change always has the
 * same id.
 */
export function lifecycleEvent(options: {
  readonly happening: Happening;
  readonly subscription: Subscription;
  /** The host in full names of subscriptions (E10.2). */
  readonly sourceHost: string;
  /** Tells the reminders of one expiry apart. */
  readonly moment?: string;
  readonly now: number;
}): NewEvent {
  const { happening, subscription, sourceHost, moment, now } = options;
  const { id, uid, revision, suspensionReason, expiresAt } = subscription;
  const fullName = fullSubscriptionName(id, sourceHost);
  const detail =
    happening === 'suspended'
      ? { suspension_reason: suspensionReason }
      : { expire_time: formatTimestamp(expiresAt) };
  return {
    id: [uid, revision, happening, ...(moment === undefined ? [] : [moment])].join('-'),
    source: fullName,
    type: `google.workspace.events.subscription.v1.${happening}`,
    subject: fullName,
    occurredAt: now,
    data: { subscription: { name: subscriptionName(id), ...detail } },
  };
}
