import { isUniqueViolation } from '../../kernel/database/database-error.ts';
import { requireScopes } from '../applications/require-scopes.ts';
import { type EventsCaller, isAdmin, principalOf } from '../caller.ts';
import { EventsError } from '../errors/events-error.ts';
import type { CatalogueMatch, WriteOnCreate } from '../model/application.ts';
import type { Operation } from '../model/operation.ts';
import type { Subscription } from '../model/subscription.ts';
import { type SubscriptionResource, subscriptionMessage } from '../model/subscription-message.ts';
import { subscriptionName } from '../model/subscription-name.ts';
import { newOperation } from '../operations/new-operation.ts';
import { type OperationResource, toOperationResource } from '../operations/operation-resource.ts';
import { runOperation } from '../operations/run-operation.ts';
import { readMessage } from '../proto-json/read-message.ts';
import { notifyPairs } from '../sources/pair-notices.ts';
import { findOperationOfRequest, putOperation } from '../store/operation-store.ts';
import { findSubscriptionOfTarget, insertSubscription } from '../store/subscription-store.ts';
import { checkNewSubscription } from './checks/check-new-subscription.ts';
import { eventTypesOf } from './checks/event-types-of.ts';
import { requireApplication } from './checks/require-application.ts';
import { authorityOver, requireHolding } from './checks/require-authority.ts';
import { requireEndpoint } from './checks/require-endpoint.ts';
import { applyTransition } from './lifecycle/apply-transition.ts';
import { scheduleNextMoment } from './lifecycle/schedule-next-moment.ts';
import { newSubscription } from './new-subscription.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { toSubscriptionResource } from './to-subscription-resource.ts';

export type CreateRequest = {
  readonly caller: EventsCaller;
  /** A Subscription as JSON. */
  readonly body: unknown;
  readonly validateOnly?: boolean;
  /** A UUID4: a repetition with the same one answers the first operation (E8.24). */
  readonly requestId?: string | undefined;
};

/**
 * Creates a subscription (E3.1, E3.2). Throws `PERMISSION_DENIED` for missing scopes or an endpoint that does not
 * agree, `INVALID_ARGUMENT`, `ALREADY_EXISTS`, `RESOURCE_EXHAUSTED` if there are too many, and other errors of the
 * endpoint.
 */
export async function createSubscription(
  context: SubscriptionContext,
  request: CreateRequest,
): Promise<OperationResource> {
  const { caller, body } = request;
  const { catalogue } = context;
  await requireScopes({ catalogue, caller, eventTypes: eventTypesOf(body), of: 'every type' });
  const repeated = await findRepetition(context, request);
  if (repeated !== undefined) return repeated;
  try {
    return await createNew(context, request);
  } catch (error) {
    // If two concurrent requests have the same request id, the second is a repetition of the first.
    const isRival =
      isUniqueViolation(error) || (error instanceof EventsError && error.code === 'ALREADY_EXISTS');
    const first = isRival ? await findRepetition(context, request) : undefined;
    if (first === undefined) throw error;
    return first;
  }
}

async function createNew(
  context: SubscriptionContext,
  { caller, body, validateOnly, requestId }: CreateRequest,
): Promise<OperationResource> {
  const { catalogue, clock, random } = context;
  const input = readMessage(subscriptionMessage, body);
  const now = clock.now();
  const { terms, match } = await checkNewSubscription({ input, catalogue, now });
  const subscription = newSubscription({ terms, caller, random, now });
  const signingSecret = input.notificationEndpoint?.webhook?.signingSecret;
  await refuseSecond(context, subscription);
  await context.requireRoom(subscription);

  if (validateOnly) {
    await requireEndpoint(context, { subscription, signingSecret });
    const {
      name: _name,
      uid: _uid,
      etag: _etag,
      ...response
    } = toSubscriptionResource(subscription);
    return toOperationResource({ kind: 'Create', result: { response } });
  }
  const operation = newOperation(
    { random, now },
    { caller, kind: 'Create', subscriptionId: subscription.id, requestId },
  );
  const work = async () => {
    await requireEndpoint(context, { subscription, signingSecret });
    const begin = await match.application.onCreate?.(subscription, context.background.signal);
    for (;;) {
      const created = { subscription, match, caller, signingSecret, begin, operation };
      const stored = await store(context, created);
      if (stored !== undefined) return stored;
      await refuseSecond(context, subscription);
    }
  };
  return toOperationResource(await runOperation(context, { operation, work }));
}

/** Undefined if the principal has another subscription to the target. */
async function store(
  context: SubscriptionContext,
  options: {
    readonly subscription: Subscription;
    readonly match: CatalogueMatch;
    readonly caller: EventsCaller;
    readonly signingSecret: string | undefined;
    /** What the application writes in the same transaction. */
    readonly begin: WriteOnCreate | undefined;
    readonly operation: Operation;
  },
): Promise<Operation | undefined> {
  const { subscription, match, caller, signingSecret, begin, operation } = options;
  const { application } = match;
  const { database, queues } = context;
  const { eventTypes } = subscription;
  const findHolding = await authorityOver(context, { caller, eventTypes });
  const response = toSubscriptionResource(subscription);
  return database.transaction(async (tx) => {
    await requireApplication(tx, match);
    const holding = requireHolding(await findHolding(tx));
    const seesAll = isAdmin(caller) && holding.seesAll;
    if (!(await insertSubscription(tx, subscription))) return undefined;
    const secret = await queues.open(tx, { subscription, signingSecret, seesAll, application });
    await begin?.(tx);
    notifyPairs(tx, subscription);
    await scheduleNextMoment(tx, { subscription, now: subscription.createdAt });
    await putOperation(tx, { ...operation, result: { response } });
    return { ...operation, result: { response: withSecret(response, secret) } };
  });
}

/**
 * Only the first answer to create holds the secret (E14.18, F57), so it is not stored: by the time of a repetition it may
 * have been rotated, or be asked for by somebody else. Whoever lost it rotates it.
 */
function withSecret(
  response: SubscriptionResource,
  signingSecret: string | undefined,
): SubscriptionResource {
  const webhook = response.notificationEndpoint?.webhook;
  if (webhook === undefined || signingSecret === undefined) return response;
  return { ...response, notificationEndpoint: { webhook: { ...webhook, signingSecret } } };
}

async function findRepetition(
  { database }: SubscriptionContext,
  { caller, requestId }: Pick<CreateRequest, 'caller' | 'requestId'>,
): Promise<OperationResource | undefined> {
  if (requestId === undefined) return undefined;
  const principal = principalOf(caller);
  const found = await findOperationOfRequest(database, { principal, requestId });
  if (found === undefined) return undefined;
  return toOperationResource(found);
}

/** Allows one subscription for a principal and a target (E6.4). Ends an earlier one that has expired. */
async function refuseSecond(context: SubscriptionContext, wanted: Subscription): Promise<void> {
  const { database, clock } = context;
  const first = await findSubscriptionOfTarget(database, wanted);
  if (first === undefined) return;
  if (clock.now() < first.expiresAt) throw alreadyExists(first);
  try {
    await applyTransition(context, { subscription: first, trigger: { kind: 'expire' } });
  } catch (error) {
    // Another has ended it, or renewed it just in time: storing tells which.
    if (!(error instanceof EventsError && error.code === 'ABORTED')) throw error;
  }
}

function alreadyExists({ id, targetResource }: Subscription): EventsError {
  const name = subscriptionName(id);
  return new EventsError(
    'ALREADY_EXISTS',
    `You have ${name} for ${targetResource} already: change that one, or delete it first.`,
    {
      reason: 'SUBSCRIPTION_EXISTS',
      metadata: { name, targetResource },
      resource: { type: 'subscription', name },
    },
  );
}
