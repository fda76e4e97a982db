import { type EventsCaller, principalOf } from '../caller.ts';
import { EventsError } from '../errors/events-error.ts';
import type { Subscription } from '../model/subscription.ts';
import { idIn } from '../model/subscription-name.ts';
import { findSubscription } from '../store/subscription-store.ts';
import type { SubscriptionContext } from './subscription-context.ts';

/**
 * The caller's subscription of this name, by id or uid (E1.13). Throws `NOT_FOUND` for one that is
 * deleted, expired or of another principal (E3.3).
 */
export async function findOwnSubscription(
  { database, clock }: Pick<SubscriptionContext, 'database' | 'clock'>,
  { caller, name }: { readonly caller: EventsCaller; readonly name: string },
): Promise<Subscription> {
  const found = await findSubscription(database, idIn(name));
  const isThere = found && found.state !== 'DELETED' && clock.now() < found.expiresAt;
  if (isThere && found.principal === principalOf(caller)) return found;
  throw subscriptionNotFound(name);
}

export function subscriptionNotFound(name: string): EventsError {
  return new EventsError(
    'NOT_FOUND',
    `There is no subscription ${name}: it never existed, was deleted, has expired, or was made by another person or with another client.`,
    {
      reason: 'SUBSCRIPTION_NOT_FOUND',
      metadata: { name },
      resource: { type: 'subscription', name },
    },
  );
}
