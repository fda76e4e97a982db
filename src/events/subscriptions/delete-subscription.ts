import { type EventsCaller, principalOf } from '../model/caller.ts';
import { EventsError } from '../model/events-error.ts';
import { idIn, type Subscription } from '../model/subscription.ts';
import { findDeletionOperation, putOperation } from '../store/operation-store.ts';
import { findSubscription } from '../store/subscription-store.ts';
import { findReadableSubscription, subscriptionNotFound } from './get-subscription.ts';
import { applyTransition } from './lifecycle/apply-transition.ts';
import { newOperation, type OperationResource, toOperationResource } from './operations.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { refuseOtherEtag } from './subscription-resource.ts';

export type DeleteRequest = {
  readonly caller: EventsCaller;
  readonly name: string;
  readonly etag?: string | undefined;
  /** Succeeds where there is nothing to delete (E3.30). */
  readonly allowMissing?: boolean;
  readonly validateOnly?: boolean;
};

/** How long a repetition gets the operation of the first deletion (E8.23). */
const repetitionMs = 60_000;

/**
 * Deletes a subscription (E3.29-E3.32). Throws `NOT_FOUND`, `PERMISSION_DENIED` for one that the
 * caller could not read, and `ABORTED` as patch does.
 */
export async function deleteSubscription(
  context: SubscriptionContext,
  request: DeleteRequest,
): Promise<OperationResource> {
  const { caller, name, etag, allowMissing, validateOnly } = request;
  const { database, random, clock } = context;
  const subscription = await findReadableSubscription(context, { caller, name }).catch(
    unlessMissing,
  );
  if (subscription === undefined) {
    const before = await findDeletion(context, request);
    if (before !== undefined) return before;
    if (!allowMissing) throw subscriptionNotFound(name);
  }
  if (subscription !== undefined) refuseOtherEtag(subscription, etag);
  const result = { response: {} };
  if (validateOnly) return toOperationResource({ kind: 'Delete', result });

  const subscriptionId = subscription?.id ?? '';
  const now = clock.now();
  const begun = newOperation({ random, now }, { caller, kind: 'Delete', subscriptionId });
  const operation = { ...begun, result };
  if (subscription === undefined) await putOperation(database, operation);
  else await remove(subscription);
  return toOperationResource(operation);

  async function remove(own: Subscription): Promise<void> {
    const { next } = await applyTransition(context, {
      subscription: own,
      trigger: { kind: 'delete' },
      also: (tx) => putOperation(tx, operation),
    });
    if (next === undefined) throw subscriptionNotFound(name);
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof EventsError && error.code === 'NOT_FOUND') return undefined;
  throw error;
}

async function findDeletion(
  { database, clock }: SubscriptionContext,
  { caller, name }: DeleteRequest,
): Promise<OperationResource | undefined> {
  const gone = await findSubscription(database, idIn(name));
  const operation = await findDeletionOperation(database, {
    principal: principalOf(caller),
    subscriptionId: gone?.id ?? idIn(name),
    since: clock.now() - repetitionMs,
  });
  return operation && toOperationResource(operation);
}
