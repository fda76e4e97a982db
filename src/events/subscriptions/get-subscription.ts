import { requireScopes } from '../applications/require-scopes.ts';
import type { EventsCaller } from '../caller.ts';
import type { Subscription } from '../model/subscription.ts';
import type { SubscriptionResource } from '../model/subscription-message.ts';
import { findOwnSubscription } from './find-own-subscription.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { toSubscriptionResource } from './to-subscription-resource.ts';

type GetRequest = { readonly caller: EventsCaller; readonly name: string };

/**
 * The caller's subscription of this name as answers show it. Throws as `findReadableSubscription`
 * does.
 */
export async function getSubscription(
  context: SubscriptionContext,
  request: GetRequest,
): Promise<SubscriptionResource> {
  return toSubscriptionResource(await findReadableSubscription(context, request));
}

/**
 * The caller's subscription of this name, if the caller's scopes are enough to read it (E7.3).
 * Throws `NOT_FOUND` and `PERMISSION_DENIED`.
 */
export async function findReadableSubscription(
  context: Pick<SubscriptionContext, 'database' | 'clock' | 'catalogue'>,
  { caller, name }: GetRequest,
): Promise<Subscription> {
  const { catalogue } = context;
  const subscription = await findOwnSubscription(context, { caller, name });
  const { eventTypes } = subscription;
  await requireScopes({ catalogue, caller, eventTypes, of: 'one type' });
  return subscription;
}
