import type { Catalogue } from '../model/application.ts';
import type { EventsCaller } from '../model/caller.ts';
import { EventsError, insufficientScope } from '../model/events-error.ts';
import type { Subscription } from '../model/subscription.ts';
import { fitsPattern } from './target-pattern.ts';

/** The parts of a subscription that decide which scopes it needs. */
type Subscribed = Pick<Subscription, 'eventTypes' | 'targetResource'>;

/** What a right is asked for: the event types, and the target where there is one. */
type Wanted = {
  readonly catalogue: Pick<Catalogue, 'applicationOf' | 'match'>;
  readonly eventTypes: readonly string[];
  readonly targetResource?: string | undefined;
};

/**
 * Requires the scopes that applications name for their event types (E7.2, E7.3): one of them for every type, or for
 * at least one type. Types that no application has need no scope. A target may need one of its own, and a client that
 * acts for itself (G5). Throws `PERMISSION_DENIED`.
 */
export async function requireScopes(
  options: Wanted & {
    readonly caller: EventsCaller;
    readonly of: 'every type' | 'one type';
  },
): Promise<void> {
  await requireTargetScope(options);
  const { catalogue, caller, eventTypes, of } = options;
  const refusals: EventsError[] = [];
  for (const eventType of new Set(eventTypes)) {
    const wanted = await missingScopes({ catalogue, eventType, held: caller.scope });
    if (wanted.length === 0 && of === 'one type') return;
    if (wanted.length > 0) refusals.push(insufficientScope(wanted, { what: eventType }));
  }
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
}

async function requireTargetScope({
  caller,
  ...wanted
}: Wanted & { readonly caller: EventsCaller }): Promise<void> {
  const scope = await clientScopeOf(wanted);
  if (scope === undefined) return;
  const { targetResource = '' } = wanted;
  if (!caller.isPerson && !caller.scope.includes(scope))
    throw insufficientScope([scope], { what: targetResource });
  if (!caller.isPerson) return;
  throw new EventsError(
    'PERMISSION_DENIED',
    `${targetResource} is for clients that act for themselves: have an admin make one with the scope ${scope} (tradewind clients add --grants client_credentials).`,
    { reason: 'TARGET_RESOURCE_ACCESS_DENIED', metadata: { targetResource, scope } },
  );
}

/** The scope that a target needs besides those of its event types. */
async function clientScopeOf({
  catalogue,
  targetResource,
}: Omit<Wanted, 'eventTypes'>): Promise<string | undefined> {
  return targetResource === undefined
    ? undefined
    : (await catalogue.match(targetResource))?.clientScope;
}

/**
 * Whether what concerns a subscription may be shown: as `requireScopes` with one type, decided for many subscriptions with
 * one look at the catalogue (F56). An admin who monitors holds everything.
 */
export async function showsTypes(
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'list'> },
  held: readonly string[] | 'everything',
): Promise<(subscription: Subscribed) => boolean> {
  if (held === 'everything') return () => true;
  const refused = new Set<string>();
  const hidden: string[] = [];
  for (const { scopes, targets } of await catalogue.list()) {
    for (const { pattern, clientScope } of targets)
      if (clientScope !== undefined && !held.includes(clientScope)) hidden.push(pattern);
    if (scopes.length === 0 || scopes.some((scope) => held.includes(scope))) continue;
    for (const type of targets.flatMap(({ eventTypes }) => eventTypes)) refused.add(type);
  }
  return ({ eventTypes, targetResource }) =>
    (eventTypes.length === 0 || eventTypes.some((type) => !refused.has(type))) &&
    !hidden.some((pattern) => fitsPattern(targetResource, pattern));
}

/** For each event type that needs a scope, and for the target, those any one of which allows it. */
export async function scopesNeeded(wanted: Wanted): Promise<readonly (readonly string[])[]> {
  const { catalogue, eventTypes } = wanted;
  const ofTarget = await clientScopeOf(wanted);
  const needed: (readonly string[])[] = ofTarget === undefined ? [] : [[ofTarget]];
  for (const eventType of new Set(eventTypes)) {
    const scopes = await missingScopes({ catalogue, eventType, held: [] });
    if (scopes.length > 0) needed.push(scopes);
  }
  return needed;
}

/** Whether the held scopes are enough for every one of the event types, and for the target. */
export async function coversTypes({
  held,
  ...wanted
}: Wanted & { readonly held: readonly string[] }): Promise<boolean> {
  const needed = await scopesNeeded(wanted);
  return needed.every((scopes) => scopes.some((scope) => held.includes(scope)));
}

/** The scopes any one of which would allow the event type; empty if the caller holds one of them. */
async function missingScopes(options: {
  readonly catalogue: Pick<Catalogue, 'applicationOf'>;
  readonly eventType: string;
  readonly held: readonly string[];
}): Promise<readonly string[]> {
  const { catalogue, eventType, held } = options;
  const scopes = (await catalogue.applicationOf(eventType))?.scopes ?? [];
  return scopes.some((scope) => held.includes(scope)) ? [] : scopes;
}
