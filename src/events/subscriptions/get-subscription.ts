import type { EventsCaller } from '../caller.ts';
import { findOwnSubscription } from './find-own-subscription.ts';
import { requireScopes } from './require-scopes.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import type { SubscriptionResource } from './subscription-message.ts';
import { toSubscriptionResource } from './to-subscription-resource.ts';

/** The caller's subscription of this name. Throws `NOT_FOUND` and `PERMISSION_DENIED`. */
export async function getSubscription(
  context: SubscriptionContext,
  { caller, name }: { readonly caller: EventsCaller; readonly name: string },
): Promise<SubscriptionResource> {
  const { catalogue } = context;
  const subscription = await findOwnSubscription(context, { caller, name });
  const { eventTypes } = subscription;
  await requireScopes({ catalogue, caller, eventTypes, of: 'one type' });
  return toSubscriptionResource(subscription);
}
