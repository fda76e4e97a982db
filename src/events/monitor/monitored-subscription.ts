import { z } from 'zod';
import type { Subscription } from '../model/subscription.ts';
import { subscriptionMessage } from '../model/subscription-message.ts';
import { formatTimestamp } from '../proto-json/timestamp.ts';
import type { LaneStatus } from '../store/lanes/attempt-store.ts';
import { toSubscriptionResource } from '../subscriptions/to-subscription-resource.ts';

const time = (description: string) => z.string().meta({ format: 'google-datetime', description });

/** A subscription as the monitor shows it. */
export const monitoredSubscription = z
  .object({
    subscription: subscriptionMessage,
    clientId: z.string().describe('The client through which it was made.'),
    userId: z
      .string()
      .optional()
      .describe('The person who owns it; absent if a client owns it itself.'),
    waiting: z.int().describe('How many events are yet to be delivered.'),
    failingSince: time('Since when every attempt has failed.').optional(),
    nextAttemptTime: time('When it is tried again.').optional(),
    undelivered: z
      .int()
      .optional()
      .describe(
        'How many events were held or given up and not sent again; 10000 means 10000 or more.',
      ),
  })
  .meta({
    id: 'MonitoredSubscription',
    description: 'A subscription and the state of its delivery.',
  });

export function toMonitored(
  subscription: Subscription,
  {
    status,
    undelivered,
  }: { readonly status: LaneStatus | undefined; readonly undelivered?: number },
): z.input<typeof monitoredSubscription> {
  const { clientId, userId, state } = subscription;
  const { waiting = 0, failingSince, nextAttemptAt } = status ?? {};
  return {
    subscription: toSubscriptionResource(subscription),
    clientId,
    ...(userId === undefined ? {} : { userId }),
    // Events of a suspended subscription are held and do not wait.
    waiting: state === 'ACTIVE' ? waiting : 0,
    ...(failingSince === undefined ? {} : { failingSince: formatTimestamp(failingSince) }),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptTime: formatTimestamp(nextAttemptAt) }),
    ...(undelivered === undefined ? {} : { undelivered }),
  };
}
