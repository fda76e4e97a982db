import { isUniqueViolation } from '../../kernel/database/database.ts';
import { drawHex, type Random } from '../../kernel/model/random.ts';
import { requireScopes } from '../applications/require-scopes.ts';
import type { EndpointProblem } from '../delivery/endpoints/endpoint.ts';
import type { CatalogueMatch, WriteOnCreate } from '../model/application.ts';
import { type EventsCaller, isAdmin, principalOf } from '../model/caller.ts';
import { EventsError, invalidArgument } from '../model/events-error.ts';
import { readMessage } from '../model/proto-json.ts';
import { type Subscription, type SubscriptionId, subscriptionName } from '../model/subscription.ts';
import { type SubscriptionResource, subscriptionMessage } from '../model/subscription-message.ts';
import { findOperationOfRequest, type Operation, putOperation } from '../store/operation-store.ts';
import { notifyPairs } from '../store/price-watch-store.ts';
import { findSubscriptionOfTarget, insertSubscription } from '../store/subscription-store.ts';
import {
  checkNewSubscription,
  eventTypesOf,
  requireApplication,
  type SubscriptionTerms,
  targetOf,
} from './check-subscription.ts';
import { applyTransition } from './lifecycle/apply-transition.ts';
import { scheduleNextMoment } from './lifecycle/lifetime.ts';
import {
  newOperation,
  type OperationResource,
  runOperation,
  toOperationResource,
} from './operations.ts';
import { authorityOver, requireHolding } from './require-authority.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { toSubscriptionResource } from './subscription-resource.ts';

type CreateRequest = {
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
  const [eventTypes, targetResource] = [eventTypesOf(body), targetOf(body)];
  await requireScopes({ catalogue, caller, eventTypes, targetResource, of: 'every type' });
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
  const findHolding = await authorityOver(context, { ...subscription, caller });
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

/** A subscription as create makes it (E5.1), with an id and a uid of its own (E1.12, E2.2). */
export function newSubscription(options: {
  readonly terms: SubscriptionTerms;
  readonly caller: EventsCaller;
  readonly random: Random;
  readonly now: number;
}): Subscription {
  const { terms, caller, random, now } = options;
  const hex = drawHex(random, 16);
  return {
    ...terms,
    id: hex as SubscriptionId, // where ids are made: hexadecimal digits hold neither `:` nor `/`
    uid: toUuid4(random.bytes(16)),
    principal: principalOf(caller),
    clientId: caller.clientId,
    userId: caller.isPerson ? caller.subject : undefined,
    state: 'ACTIVE',
    suspensionReason: undefined,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}

/** RFC 9562, section 5.4: 122 random bits around version 4 and variant 10. */
function toUuid4(random: Uint8Array): string {
  const bytes = Buffer.from(random);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Checks whether events may be sent to the endpoint of a new subscription. Throws
 * `INVALID_ARGUMENT` for its signing secret or address, otherwise the status that the endpoint's
 * kind gives.
 */
async function requireEndpoint(
  {
    checkEndpoint,
    background: { signal },
  }: Pick<SubscriptionContext, 'checkEndpoint' | 'background'>,
  options: { readonly subscription: Subscription; readonly signingSecret: string | undefined },
): Promise<void> {
  const { subscription, signingSecret } = options;
  const problem = await checkEndpoint(subscription.notificationEndpoint, { signingSecret, signal });
  if (problem !== undefined) throw endpointRefused(problem);
}

function endpointRefused({ status, reason, message, field: part }: EndpointProblem): EventsError {
  const field = ['notificationEndpoint', part].filter(Boolean).join('.');
  if (status === 'INVALID_ARGUMENT') {
    return invalidArgument([{ field, description: message }], reason);
  }
  return new EventsError(status, message, {
    reason,
    metadata: { message },
    ...(status === 'FAILED_PRECONDITION'
      ? { preconditionViolations: [{ type: reason, subject: field, description: message }] }
      : {}),
  });
}
