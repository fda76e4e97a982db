import { type EventsCaller, isAdmin } from '../caller.ts';
import { isWithin, reachOf } from '../model/reach.ts';
import type { Subscription } from '../model/subscription.ts';
import { idIn } from '../model/subscription-name.ts';
import { findSubscription } from '../store/subscription-store.ts';
import { subscriptionNotFound } from '../subscriptions/find-own-subscription.ts';
import type { MonitorContext, MonitorRequest } from './monitor-context.ts';

/** A subscription within reach, and a caller that acts as its owner, as the use cases of subscriptions need it. */
export type Monitored = { readonly subscription: Subscription; readonly owner: EventsCaller };

/**
 * The subscription of this name, by id or uid, if the caller may monitor it, see `reachOf`. Throws `NOT_FOUND` for one
 * that is out of reach, deleted or expired.
 */
export async function findMonitored(
  context: MonitorContext,
  { caller, name }: MonitorRequest,
): Promise<Monitored> {
  const { database, clock } = context;
  const subscription = await findSubscription(database, idIn(name));
  const isThere =
    subscription && subscription.state !== 'DELETED' && clock.now() < subscription.expiresAt;
  if (!isThere || !isWithin(reachOf(caller, context), subscription))
    throw subscriptionNotFound(name);
  return { subscription, owner: await inPlaceOf(subscription, { caller, context }) };
}

/** The scopes stay those of the caller, except that an admin has those of every application. */
async function inPlaceOf(
  { clientId, userId }: Subscription,
  { caller, context }: { readonly caller: EventsCaller; readonly context: MonitorContext },
): Promise<EventsCaller> {
  const all = isAdmin(caller) ? await context.catalogue.list() : [];
  const scope = [...caller.scope, ...all.flatMap(({ scopes }) => scopes)];
  return {
    ...caller,
    subject: userId ?? clientId,
    clientId,
    isPerson: userId !== undefined,
    scope,
  };
}
