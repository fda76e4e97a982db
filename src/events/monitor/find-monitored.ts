import type { InTurn } from '../../kernel/wait/turns.ts';
import { requireScopes, showsTypes } from '../applications/require-scopes.ts';
import {
  type EventsCaller,
  type EventVisibility,
  isAdmin,
  isWithin,
  principalOf,
  reachOf,
} from '../model/caller.ts';
import { idIn, type Subscription } from '../model/subscription.ts';
import type { Publisher } from '../publishing/create-publisher.ts';
import { findSubscription } from '../store/subscription-store.ts';
import { subscriptionNotFound } from '../subscriptions/get-subscription.ts';
import type { SubscriptionContext } from '../subscriptions/subscription-context.ts';

/** A subscription within reach, and a caller that acts as its owner, as the use cases of subscriptions need it. */
type Monitored = { readonly subscription: Subscription; readonly owner: EventsCaller };

/**
 * The subscription of this name, by id or uid, if the caller may monitor it, see `reachOf`, and holds a scope for one of
 * its event types, as for every reading of it (E7.3, F56). Throws `NOT_FOUND` for one that is out of reach, deleted or
 * expired, and `PERMISSION_DENIED`.
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
  const owner = await inPlaceOf(subscription, { caller, context });
  const { catalogue } = context;
  const { eventTypes, targetResource } = subscription;
  await requireScopes({ catalogue, caller: owner, eventTypes, targetResource, of: 'one type' });
  return { subscription, owner };
}

/**
 * The scopes stay those of the caller, except that an admin has those of every application. What the owner may do is
 * another question, which `authorityOver` asks: the grant of the caller says nothing about it (F52).
 */
async function inPlaceOf(
  { clientId, userId, principal }: Subscription,
  { caller, context }: { readonly caller: EventsCaller; readonly context: MonitorContext },
): Promise<EventsCaller> {
  const all = isAdmin(caller) ? await context.catalogue.list() : [];
  const ofTargets = all.flatMap(({ targets }) => targets.flatMap((one) => one.clientScope ?? []));
  const scope = [...caller.scope, ...all.flatMap(({ scopes }) => scopes), ...ofTargets];
  return {
    ...caller,
    grantId: principalOf(caller) === principal ? caller.grantId : undefined,
    subject: userId ?? clientId,
    clientId,
    isPerson: userId !== undefined,
    scope,
  };
}

/** Whether the caller may see what concerns a subscription, by its event types and its target (F56, G5). */
export function sightOfTypes(
  context: Pick<MonitorContext, 'catalogue'>,
  caller: EventsCaller,
): ReturnType<typeof showsTypes> {
  return showsTypes(context, isAdmin(caller) ? 'everything' : caller.scope);
}

/** What the use cases of the monitor work with. */
export type MonitorContext = SubscriptionContext & {
  readonly publisher: Pick<Publisher, 'publishTo'>;
  readonly visibility: EventVisibility;
  /** Whether a client is the server's own console, in which people monitor everything of their own. */
  isConsole(clientId: string): boolean;
  /** Asks the process that delivers a subscription to write its progress. */
  catchUp(subscriptionId: string): Promise<void>;
  /** Runs long work in steps. */
  readonly inTurn: InTurn;
};

/** Who asks, and for which subscription. */
export type MonitorRequest = { readonly caller: EventsCaller; readonly name: string };
