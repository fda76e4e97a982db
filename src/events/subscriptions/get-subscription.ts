import { requireScopes, showsTypes } from '../applications/require-scopes.ts';
import { type EventsCaller, principalOf } from '../model/caller.ts';
import { EventsError } from '../model/events-error.ts';
import { idIn, type Subscription, subscriptionName } from '../model/subscription.ts';
import type { SubscriptionResource } from '../model/subscription-message.ts';
import { findSubscription, listSubscribed } from '../store/subscription-store.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { toSubscriptionResource } from './subscription-resource.ts';

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
  const { eventTypes, targetResource } = subscription;
  await requireScopes({ catalogue, caller, eventTypes, targetResource, of: 'one type' });
  return subscription;
}

/** Which of these subscriptions the caller's scopes are enough to read (E7.3). Does not check whose they are. */
export async function findReadable(
  { database, catalogue }: Pick<SubscriptionContext, 'database' | 'catalogue'>,
  { caller, ids }: { readonly caller: EventsCaller; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const shows = await showsTypes({ catalogue }, caller.scope);
  const subscribed = await listSubscribed(database, ids);
  return new Set([...subscribed].filter(([, one]) => shows(one)).map(([id]) => id));
}

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

/** Refuses to change what an MCP client asked for: it owns lifetime and secret, and refreshes both (M73). */
export function refuseOfMcp({ id, mcp }: Pick<Subscription, 'id' | 'mcp'>): void {
  if (mcp === undefined) return;
  const name = subscriptionName(id);
  const description = `${name} belongs to an MCP client, which alone renews it and sets its secret: subscribe there again, or delete it here.`;
  throw new EventsError('FAILED_PRECONDITION', description, {
    reason: 'OWNED_BY_MCP_CLIENT',
    metadata: { name },
    preconditionViolations: [{ type: 'OWNER', subject: name, description }],
  });
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
