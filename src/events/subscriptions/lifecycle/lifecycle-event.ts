import type { NewEvent } from '../../model/event.ts';
import type { Subscription } from '../../model/subscription.ts';
import { fullSubscriptionName, subscriptionName } from '../../model/subscription-name.ts';
import { formatTimestamp } from '../../proto-json/timestamp.ts';

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
