import { z } from 'zod';
import { requireScopes } from '../applications/require-scopes.ts';
import type { CatalogueMatch } from '../model/application.ts';
import type { EventsCaller } from '../model/caller.ts';
import { EventsError, type PreconditionViolation } from '../model/events-error.ts';
import { readMessage } from '../model/proto-json.ts';
import { type Subscription, subscriptionName } from '../model/subscription.ts';
import { type Operation, putOperation } from '../store/operation-store.ts';
import { requireApplication } from './check-subscription.ts';
import { findOwnSubscription, refuseOfMcp, subscriptionNotFound } from './get-subscription.ts';
import { applyTransition } from './lifecycle/apply-transition.ts';
import {
  newOperation,
  type OperationResource,
  runOperation,
  toOperationResource,
} from './operations.ts';
import { authorityOver } from './require-authority.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { toSubscriptionResource } from './subscription-resource.ts';

/** The body of reactivate: nothing. */
export const reactivateMessage = z
  .strictObject({}, 'must be an empty object')
  .meta({ id: 'ReactivateSubscriptionRequest', description: 'Nothing.' });

export type ReactivateRequest = {
  readonly caller: EventsCaller;
  readonly name: string;
  readonly body?: unknown;
};

/**
 * Makes a suspended subscription active again once the cause of the suspension is fixed
 * (E3.33-E3.36): scopes, target and endpoint are checked again. Throws `NOT_FOUND`,
 * `PERMISSION_DENIED`, and `FAILED_PRECONDITION` with a violation for each error that is still
 * there.
 */
export async function reactivateSubscription(
  context: SubscriptionContext,
  { caller, name, body = {} }: ReactivateRequest,
): Promise<OperationResource> {
  const { catalogue, random, clock } = context;
  readMessage(reactivateMessage, body);
  const subscription = await findOwnSubscription(context, { caller, name });
  refuseOfMcp(subscription);
  const { eventTypes, targetResource } = subscription;
  await requireScopes({ catalogue, caller, eventTypes, targetResource, of: 'every type' });
  if (subscription.state !== 'SUSPENDED') throw notSuspended(subscription);

  const operation = newOperation(
    { random, now: clock.now() },
    { caller, kind: 'Reactivate', subscriptionId: subscription.id },
  );
  const work = async (): Promise<Operation> => {
    const match = await catalogue.match(targetResource);
    const findHolding = await authorityOver(context, { caller, eventTypes, targetResource });
    const { problem } = await findHolding(context.database);
    // Asked first, since the endpoint of somebody who lost the right to events need not be bothered.
    const violations =
      problem === undefined ? await findViolations(context, { subscription, match }) : [problem];
    if (violations.length > 0) throw stillFailing(subscription, violations);
    const finish = (active: Subscription) => ({
      ...operation,
      result: { response: toSubscriptionResource(active) },
    });
    const { next } = await applyTransition(context, {
      subscription,
      trigger: { kind: 'reactivate' },
      async also(tx, active) {
        if (match !== undefined) await requireApplication(tx, match);
        // Asked again, since the endpoint may have taken its time to answer (F49).
        const holding = await findHolding(tx);
        if (holding.problem !== undefined) throw stillFailing(subscription, [holding.problem]);
        if (!holding.seesAll) await context.queues.narrow(tx, subscription.id);
        await putOperation(tx, finish(active));
      },
    });
    if (next === undefined) throw subscriptionNotFound(name);
    return finish(next);
  };
  return toOperationResource(await runOperation(context, { operation, work }));
}

async function findViolations(
  { database, queues, checkEndpoint, background: { signal } }: SubscriptionContext,
  options: {
    readonly subscription: Subscription;
    readonly match: CatalogueMatch | undefined;
  },
): Promise<PreconditionViolation[]> {
  const { subscription, match } = options;
  const { targetResource, eventTypes, notificationEndpoint, suspensionReason } = subscription;
  const problem = await checkEndpoint(notificationEndpoint, {
    isAgreed: await queues.isAgreed(database, subscription.id),
    suspendedFor: suspensionReason,
    signal,
  });
  const offered = [...(match?.eventTypes ?? []), ...(match?.formerTypes ?? [])];
  const missing = eventTypes.filter((type) => !offered.includes(type));
  return [
    ...missing.slice(0, 1).map((type) => ({
      type: 'RESOURCE_DELETED',
      subject: targetResource,
      description: `The target no longer has ${type}: reactivate the subscription once the target has it again.`,
    })),
    ...(problem === undefined
      ? []
      : [
          {
            type: problem.suspensionReason,
            subject: 'notificationEndpoint',
            description: problem.message,
          },
        ]),
  ];
}

function notSuspended({ id, state }: Subscription): EventsError {
  const name = subscriptionName(id);
  const description = `${name} is ${state} and not suspended, so there is nothing to reactivate.`;
  return new EventsError('FAILED_PRECONDITION', description, {
    reason: 'SUBSCRIPTION_NOT_SUSPENDED',
    metadata: { name, state },
    preconditionViolations: [{ type: 'NOT_SUSPENDED', subject: name, description }],
  });
}

function stillFailing(
  { id }: Subscription,
  preconditionViolations: readonly PreconditionViolation[],
): EventsError {
  const name = subscriptionName(id);
  const problems = preconditionViolations.map(({ description }) => description).join(' ');
  return new EventsError(
    'FAILED_PRECONDITION',
    `${name} stays suspended because errors remain: ${problems}`,
    { reason: 'ERRORS_REMAIN', metadata: { name, problems }, preconditionViolations },
  );
}
