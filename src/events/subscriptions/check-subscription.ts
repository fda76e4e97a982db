import type { Transaction } from '../../kernel/database/database.ts';
import { eventsLimits } from '../limits.ts';
import type { Application, Catalogue, CatalogueMatch } from '../model/application.ts';
import {
  applicationOptions,
  type OptionsValue,
  type SubscriptionOptions,
} from '../model/application-options.ts';
import { targetNameOf } from '../model/customer-target.ts';
import { EventsError, type FieldViolation, invalidArgument } from '../model/events-error.ts';
import type { Subscription } from '../model/subscription.ts';
import type { SubscriptionInput } from '../model/subscription-message.ts';
import { holdApplication } from '../store/application-store.ts';
import { longestLifetime, resolveExpiry } from './lifecycle/lifetime.ts';
import { readEndpoint } from './read-endpoint.ts';

/** The parts of a subscription that the request decides. */
export type SubscriptionTerms = Pick<
  Subscription,
  | 'targetResource'
  | 'targetSpelling'
  | 'eventTypes'
  | 'payloadOptions'
  | 'notificationEndpoint'
  | 'options'
  | 'expiresAt'
>;

// E6.14
const longestTarget = eventsLimits.targetResource.value;

/**
 * Checks a new subscription against the catalogue and the limits (E2.3-E2.6, E2.16, E2.19,
 * E6.1-E6.3, E6.12-E6.14, E14.12). Does not ask the endpoint. Throws `INVALID_ARGUMENT` with every
 * violation.
 */
export async function checkNewSubscription(options: {
  readonly input: SubscriptionInput;
  readonly catalogue: Catalogue;
  readonly now: number;
  /** The event types of the subscription that it replaces. */
  readonly kept?: readonly string[];
}): Promise<{ terms: SubscriptionTerms; match: CatalogueMatch }> {
  const { input, catalogue, now, kept = [] } = options;
  const { targetResource = '', eventTypes = [] } = input;
  const targetProblem = findTargetProblem(targetResource);
  const match = targetProblem === undefined ? await catalogue.match(targetResource) : undefined;
  const payloadOptions = toPayloadOptions(input);
  const { options: given = {}, violations: optionsViolations = [] } = match
    ? readApplicationOptions(input, match.application)
    : {};
  const { endpoint, violation: badEndpoint, reason } = readEndpoint(input.notificationEndpoint);
  const { expiresAt, violation: expiryViolation } = resolveExpiry(input, {
    now,
    longest: longestLifetime(payloadOptions),
  });
  const violations: FieldViolation[] = [
    ...(match === undefined
      ? [{ field: 'targetResource', description: targetProblem ?? describeUnknown(targetResource) }]
      : []),
    ...checkEventTypes(eventTypes, match, kept),
    ...(match === undefined ? [] : checkPayloadOptions(input, match)),
    ...optionsViolations,
    ...(badEndpoint === undefined ? [] : [badEndpoint]),
    ...(expiryViolation === undefined ? [] : [expiryViolation]),
  ];
  const isWhole = match !== undefined && endpoint !== undefined && expiresAt !== undefined;
  const name = targetNameOf(targetResource);
  if (violations.length > 0 || !isWhole)
    throw invalidArgument(violations, violations.length === 1 ? reason : undefined);
  return {
    terms: {
      targetResource: name,
      targetSpelling: name === targetResource ? undefined : targetResource,
      eventTypes: [...new Set(eventTypes)],
      payloadOptions,
      notificationEndpoint: endpoint,
      options: given,
      expiresAt,
    },
    match,
  };
}

function findTargetProblem(target: string): string | undefined {
  if (target === '') return 'is required';
  if (Buffer.byteLength(target) > longestTarget) return `is longer than ${longestTarget} bytes`;
  if (/^\/\/[^/\s]+(\/[^/\s]+)+$/.test(target)) return undefined;
  return `is ${JSON.stringify(target)} but must be a full resource name, //{service}/{path}`;
}

function describeUnknown(target: string): string {
  return `is ${target}, which no application has: GET /v1/applications (tradewind applications list) lists all targets`;
}

function checkPayloadOptions(
  { payloadOptions }: SubscriptionInput,
  { application }: CatalogueMatch,
): FieldViolation[] {
  if (!payloadOptions?.includeResource || application.resourceData === 'onRequest') return [];
  const description = `cannot be chosen for ${application.name}, whose events have fixed contents: leave it out`;
  return [{ field: 'payloadOptions.includeResource', description }];
}

function toPayloadOptions({ payloadOptions }: SubscriptionInput) {
  if (payloadOptions === undefined) return undefined;
  const { includeResource = false, fieldMask = [] } = payloadOptions;
  return { includeResource, fieldMask };
}

// E6.13
const mostEventTypes = eventsLimits.eventTypes.value;

/**
 * What is wrong with a list of event types for a target (E2.4, E6.13). If the target is not known,
 * checks only the length of the list. The types that a subscription has are `kept` where its target once had them (G9).
 */
export function checkEventTypes(
  eventTypes: readonly string[],
  match: CatalogueMatch | undefined,
  kept: readonly string[] = [],
): FieldViolation[] {
  if (eventTypes.length === 0) {
    return [{ field: 'eventTypes', description: 'must list at least one event type' }];
  }
  if (new Set(eventTypes).size > mostEventTypes) {
    const description = `lists ${new Set(eventTypes).size} event types, but at most ${mostEventTypes} are allowed`;
    return [{ field: 'eventTypes', description }];
  }
  return eventTypes.flatMap((eventType, index) => {
    if (match === undefined || match.eventTypes.includes(eventType)) return [];
    if (kept.includes(eventType) && match.formerTypes.includes(eventType)) return [];
    return [{ field: `eventTypes[${index}]`, description: explain(eventType, match) }];
  });
}

function explain(eventType: string, { application, eventTypes }: CatalogueMatch): string {
  const shown = JSON.stringify(eventType.slice(0, 255));
  if (eventType.startsWith('google.workspace.events.subscription.')) {
    return `is ${shown}, which every subscription gets without asking: leave it out`;
  }
  const base = Object.entries(application.batchTypes).find(([, batch]) => batch === eventType)?.[0];
  if (base !== undefined) {
    return `is ${shown}, which every subscription to ${base} gets without asking: list ${base} instead`;
  }
  return `is ${shown}, which the target does not have: use some of ${eventTypes.join(', ')}`;
}

/**
 * The event types in a body that is not validated yet, for the check of scopes: a token with too few scopes is refused
 * before anything else is checked (E8.22).
 */
export function eventTypesOf(body: unknown): readonly string[] {
  return textsIn(body, ['eventTypes', 'event_types']);
}

/** The same for the target; undefined where it is no full resource name. */
export function targetOf(body: unknown): string | undefined {
  const [target] = textsIn(body, ['targetResource', 'target_resource']);
  return target !== undefined && findTargetProblem(target) === undefined ? target : undefined;
}

function textsIn(body: unknown, names: readonly string[]): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const listed = Object.entries(body)
    .filter(([name]) => names.includes(name))
    .flatMap(([, value]) => value);
  return listed.filter((value) => typeof value === 'string');
}

/** The options of a request for the application of its target. Options of other applications are refused. */
function readApplicationOptions(
  input: SubscriptionInput,
  { options: own, name }: Pick<Application, 'options' | 'name'>,
): { readonly options: SubscriptionOptions; readonly violations: readonly FieldViolation[] } {
  const given = input as Readonly<Record<string, OptionsValue | undefined>>; // as the messages read them
  const foreign = applicationOptions
    .filter((one) => one !== own && given[one.field] !== undefined)
    .map(({ field }) => ({ field, description: `is not for targets of ${name}: leave it out` }));
  if (own === undefined) return { options: {}, violations: foreign };
  const { value, violations = [] } = own.read(input.targetResource ?? '', given[own.field]);
  return {
    options: value === undefined ? {} : { [own.field]: value },
    violations: [...violations, ...foreign],
  };
}

/**
 * Part of every transaction that makes a subscription active. The catalogue is cached for a moment, so the application
 * may have been removed by now (E14.16): then throws `ABORTED`. Otherwise locks it until the transaction ends.
 */
export async function requireApplication(tx: Transaction, match: CatalogueMatch): Promise<void> {
  const { name, isBuiltIn } = match.application;
  if (isBuiltIn || (await holdApplication(tx, name))) return;
  throw new EventsError(
    'ABORTED',
    `The application ${name} was removed meanwhile: its targets cannot be subscribed to any more.`,
    { reason: 'APPLICATION_REMOVED', metadata: { name } },
  );
}
