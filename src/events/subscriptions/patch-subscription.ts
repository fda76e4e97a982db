import { isDeepStrictEqual } from 'node:util';
import { requireScopes } from '../applications/require-scopes.ts';
import type { Catalogue } from '../model/application.ts';
import { applicationOptions } from '../model/application-options.ts';
import type { EventsCaller } from '../model/caller.ts';
import { type FieldViolation, invalidArgument } from '../model/events-error.ts';
import { readMessage } from '../model/proto-json.ts';
import { type Subscription, subscriptionName } from '../model/subscription.ts';
import { type SubscriptionInput, subscriptionMessage } from '../model/subscription-message.ts';
import { putOperation } from '../store/operation-store.ts';
import { checkEventTypes, checkNewSubscription, eventTypesOf } from './check-subscription.ts';
import { findOwnSubscription, refuseOfMcp, subscriptionNotFound } from './get-subscription.ts';
import { applyTransition } from './lifecycle/apply-transition.ts';
import { longestLifetime, resolveExpiry } from './lifecycle/lifetime.ts';
import { type Trigger, transition } from './lifecycle/transition.ts';
import { newOperation, type OperationResource, toOperationResource } from './operations.ts';
import { authorityOver, requireHolding } from './require-authority.ts';
import type { SubscriptionContext } from './subscription-context.ts';
import { refuseOtherEtag, toSubscriptionResource } from './subscription-resource.ts';

export type PatchRequest = {
  readonly caller: EventsCaller;
  readonly name: string;
  /** A Subscription as JSON. */
  readonly body: unknown;
  /** Paths in camelCase; left out or empty for every changeable field of the body. */
  readonly updateMask?: readonly string[] | undefined;
  readonly validateOnly?: boolean;
};

type Changes = { readonly eventTypes?: readonly string[]; readonly expiresAt?: number };

const changeable = ['eventTypes', 'expireTime', 'ttl'] as const;
type Changeable = (typeof changeable)[number];

/**
 * Changes or renews a subscription (E3.16-E3.28). Throws `INVALID_ARGUMENT`, `NOT_FOUND`,
 * `PERMISSION_DENIED`, and `ABORTED` for an etag that no longer holds or a change in between.
 */
export async function patchSubscription(
  context: SubscriptionContext,
  request: PatchRequest,
): Promise<OperationResource> {
  const { caller, name, body, validateOnly } = request;
  const { catalogue, random, clock } = context;
  await requireScopes({ catalogue, caller, eventTypes: eventTypesOf(body), of: 'every type' });
  const input = readMessage(subscriptionMessage, body);
  refuseBadMask(request.updateMask ?? []);
  refuseTwoExpiries(input);
  const subscription = await findOwnSubscription(context, { caller, name });
  refuseOfMcp(subscription);
  refuseOtherName(input, subscription);
  refuseOtherEtag(subscription, input.etag);

  const changes = await readChanges(context, {
    input,
    mask: request.updateMask ?? [],
    subscription,
  });
  const eventTypes = changes.eventTypes ?? subscription.eventTypes;
  const { targetResource } = subscription;
  await requireScopes({ catalogue, caller, eventTypes, targetResource, of: 'every type' });
  const trigger: Trigger = { kind: 'patch', ...changes };
  if (validateOnly) {
    const { next = subscription } = transition(subscription, { trigger, now: clock.now() });
    const response = toSubscriptionResource(next);
    return toOperationResource({ kind: 'Update', result: { response } });
  }
  const operation = newOperation(
    { random, now: clock.now() },
    { caller, kind: 'Update', subscriptionId: subscription.id },
  );
  const finish = (changed: Subscription) => ({
    ...operation,
    result: { response: toSubscriptionResource(changed) },
  });
  const findHolding = await authorityOver(context, { caller, eventTypes, targetResource });
  const { next, refusal } = await applyTransition(context, {
    subscription,
    trigger,
    async also(tx, changed) {
      const { seesAll } = requireHolding(await findHolding(tx));
      if (!seesAll) await context.queues.narrow(tx, subscription.id);
      await putOperation(tx, finish(changed));
    },
  });
  if (next === undefined && refusal !== 'UNCHANGED') throw subscriptionNotFound(name);
  if (next === undefined) await putOperation(context.database, finish(subscription));
  return toOperationResource(finish(next ?? subscription));
}

function refuseBadMask(mask: readonly string[]): void {
  const bad = mask.filter((path) =>
    path === '*' ? mask.length > 1 : !changeable.some((field) => field === path),
  );
  if (bad.length === 0) return;
  const allowed = `${changeable.join(', ')}, or * alone`;
  throw invalidArgument(
    bad.map((path) => ({
      field: 'updateMask',
      description: `names ${path.slice(0, 100)}, which cannot be changed: it may name ${allowed}`,
    })),
    'INVALID_UPDATE_MASK',
  );
}

function refuseTwoExpiries({ ttl, expireTime }: SubscriptionInput): void {
  if (ttl === undefined || expireTime === undefined) return;
  const description = 'is given together with expireTime: give one of the two';
  throw invalidArgument([{ field: 'ttl', description }]);
}

function refuseOtherName({ name }: SubscriptionInput, { id, uid }: Subscription): void {
  if (name === undefined || [subscriptionName(id), subscriptionName(uid)].includes(name)) return;
  const description = `is ${JSON.stringify(name.slice(0, 100))}, which is not the one in the path`;
  throw invalidArgument([{ field: 'name', description }]);
}

async function readChanges(
  { catalogue, clock }: SubscriptionContext,
  options: {
    readonly input: SubscriptionInput;
    readonly mask: readonly string[];
    readonly subscription: Subscription;
  },
): Promise<Changes> {
  const { input, mask, subscription } = options;
  const now = clock.now();
  if (mask.includes('*')) {
    const kept = subscription.eventTypes;
    const { terms } = await checkNewSubscription({ input, catalogue, now, kept });
    refuseOtherTerms(terms, subscription);
    return { eventTypes: terms.eventTypes, expiresAt: terms.expiresAt };
  }
  const set = fieldsSet(input, mask);
  const eventTypes = set.includes('eventTypes') ? (input.eventTypes ?? []) : undefined;
  const isRenewed = set.includes('ttl') || set.includes('expireTime');
  const wish = {
    ttl: set.includes('ttl') ? input.ttl : undefined,
    expireTime: set.includes('expireTime') ? input.expireTime : undefined,
  };
  const longest = longestLifetime(subscription.payloadOptions);
  const { expiresAt, violation } = isRenewed ? resolveExpiry(wish, { now, longest }) : {};
  const violations = [
    ...(eventTypes ? await checkNewTypes(eventTypes, { catalogue, subscription }) : []),
    ...(violation === undefined ? [] : [violation]),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    ...(eventTypes === undefined ? {} : { eventTypes: [...new Set(eventTypes)] }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** The fields that a patch sets: those in its mask, or without a mask those that the body has. */
function fieldsSet(input: SubscriptionInput, mask: readonly string[]): readonly Changeable[] {
  if (mask.length > 0) return changeable.filter((field) => mask.includes(field));
  const isGiven = {
    // ProtoJSON does not distinguish an empty list from an absent one.
    eventTypes: (input.eventTypes ?? []).length > 0,
    expireTime: input.expireTime !== undefined,
    ttl: input.ttl !== undefined,
  };
  return changeable.filter((field) => isGiven[field]);
}

async function checkNewTypes(
  eventTypes: readonly string[],
  options: { readonly catalogue: Catalogue; readonly subscription: Subscription },
): Promise<FieldViolation[]> {
  const { targetResource, eventTypes: kept } = options.subscription;
  const match = await options.catalogue.match(targetResource);
  if (match !== undefined) return checkEventTypes(eventTypes, match, kept);
  const description = `cannot change while no application has the target ${targetResource}`;
  return [{ field: 'eventTypes', description }];
}

const immutable = ['targetResource', 'notificationEndpoint', 'payloadOptions'] as const;

function refuseOtherTerms(
  terms: Pick<Subscription, (typeof immutable)[number] | 'options'>,
  subscription: Subscription,
): void {
  const differing = [
    ...immutable.filter((field) => !isDeepStrictEqual(terms[field], subscription[field])),
    ...applicationOptions
      .map(({ field }) => field)
      .filter((field) => !isDeepStrictEqual(terms.options[field], subscription.options[field])),
  ];
  const violations = differing.map((field) => ({
    field,
    description: 'cannot be changed: send it as it is',
  }));
  if (violations.length > 0) throw invalidArgument(violations, 'IMMUTABLE_FIELDS');
}
