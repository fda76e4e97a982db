import type { Catalogue } from '../model/application.ts';
import type { EventsCaller } from '../model/caller.ts';
import { type EventsError, insufficientScope } from '../model/events-error.ts';

/**
 * Requires the scopes that applications name for their event types (E7.2, E7.3): one of them for every type, or for
 * at least one type. Types that no application has need no scope. Throws `PERMISSION_DENIED`.
 */
export async function requireScopes(options: {
  readonly catalogue: Pick<Catalogue, 'applicationOf'>;
  readonly caller: EventsCaller;
  readonly eventTypes: readonly string[];
  readonly of: 'every type' | 'one type';
}): Promise<void> {
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

/**
 * Whether what concerns subscriptions to these event types may be shown: as `requireScopes` with one type, decided for
 * many subscriptions with one look at the catalogue (F56). An admin who monitors holds everything.
 */
export async function showsTypes(
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'list'> },
  held: readonly string[] | 'everything',
): Promise<(eventTypes: readonly string[]) => boolean> {
  if (held === 'everything') return () => true;
  const refused = new Set<string>();
  for (const { scopes, targets } of await catalogue.list()) {
    if (scopes.length === 0 || scopes.some((scope) => held.includes(scope))) continue;
    for (const type of targets.flatMap(({ eventTypes }) => eventTypes)) refused.add(type);
  }
  return (eventTypes) => eventTypes.length === 0 || eventTypes.some((type) => !refused.has(type));
}

/** For each event type that needs a scope, those any one of which allows it. */
export async function scopesNeeded(options: {
  readonly catalogue: Pick<Catalogue, 'applicationOf'>;
  readonly eventTypes: readonly string[];
}): Promise<readonly (readonly string[])[]> {
  const { catalogue, eventTypes } = options;
  const needed: (readonly string[])[] = [];
  for (const eventType of new Set(eventTypes)) {
    const wanted = await missingScopes({ catalogue, eventType, held: [] });
    if (wanted.length > 0) needed.push(wanted);
  }
  return needed;
}

/** Whether the held scopes are enough for every one of the event types. */
export async function coversTypes(options: {
  readonly catalogue: Pick<Catalogue, 'applicationOf'>;
  readonly held: readonly string[];
  readonly eventTypes: readonly string[];
}): Promise<boolean> {
  const { catalogue, held, eventTypes } = options;
  for (const eventType of new Set(eventTypes))
    if ((await missingScopes({ catalogue, eventType, held })).length > 0) return false;
  return true;
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
