import type { EventsCaller } from '../caller.ts';
import type { EventsError } from '../events-error.ts';
import { insufficientScope } from '../insufficient-scope.ts';
import type { Catalogue } from '../model/application.ts';

/**
 * Holds the caller to the scopes that applications name for their event types (E7.2, E7.3): one of
 * them for every type, or for at least one type. Types that no application has want nothing. Throws
 * `PERMISSION_DENIED`.
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
    const scopes = (await catalogue.applicationOf(eventType))?.scopes ?? [];
    const isCovered = scopes.length === 0 || scopes.some((scope) => caller.scope.includes(scope));
    if (isCovered && of === 'one type') return;
    if (!isCovered) refusals.push(insufficientScope(scopes, { what: eventType }));
  }
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
}
