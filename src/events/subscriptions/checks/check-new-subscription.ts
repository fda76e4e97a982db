import type { FieldViolation } from '../../errors/events-error.ts';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import { eventsLimits } from '../../limits.ts';
import type { Catalogue, CatalogueMatch } from '../../model/application.ts';
import type { Subscription } from '../../model/subscription.ts';
import type { SubscriptionInput } from '../../model/subscription-message.ts';
import { longestLifetime } from '../lifecycle/lifetime.ts';
import { resolveExpiry } from '../lifecycle/resolve-expiry.ts';
import { checkEventTypes } from './check-event-types.ts';
import { readApplicationOptions } from './read-application-options.ts';
import { readEndpoint } from './read-endpoint.ts';

/** The parts of a subscription that the request decides. */
export type SubscriptionTerms = Pick<
  Subscription,
  | 'targetResource'
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
}): Promise<{ terms: SubscriptionTerms; match: CatalogueMatch }> {
  const { input, catalogue, now } = options;
  const { targetResource = '', eventTypes = [] } = input;
  const targetProblem = findTargetProblem(targetResource);
  const match = targetProblem === undefined ? await catalogue.match(targetResource) : undefined;
  const payloadOptions = toPayloadOptions(input);
  const { options: given = {}, violations: optionsViolations = [] } = match
    ? readApplicationOptions(input, match.application)
    : {};
  const { endpoint, violation: endpointViolation } = readEndpoint(input.notificationEndpoint);
  const { expiresAt, violation: expiryViolation } = resolveExpiry(input, {
    now,
    longest: longestLifetime(payloadOptions),
  });
  const violations: FieldViolation[] = [
    ...(match === undefined
      ? [{ field: 'targetResource', description: targetProblem ?? describeUnknown(targetResource) }]
      : []),
    ...checkEventTypes(eventTypes, match),
    ...(match === undefined ? [] : checkPayloadOptions(input, match)),
    ...optionsViolations,
    ...(endpointViolation === undefined ? [] : [endpointViolation]),
    ...(expiryViolation === undefined ? [] : [expiryViolation]),
  ];
  const isWhole = match !== undefined && endpoint !== undefined && expiresAt !== undefined;
  if (violations.length > 0 || !isWhole) throw invalidArgument(violations);
  return {
    terms: {
      targetResource,
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
