import type { Catalogue } from '../applications/application.ts';
import type { EventsCaller } from '../caller.ts';
import { EventsError } from '../events-error.ts';

/** The refusal of a token whose scopes are too few (E7.5, E8.5). `wanted` is what would do: one of them. */
export function insufficientScope(wanted: readonly string[], what: string): EventsError {
  const scopes = wanted.join(' or ');
  return new EventsError(
    'PERMISSION_DENIED',
    `The token has no scope for ${what}: ask for one with ${scopes}.`,
    {
      reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      metadata: { scopes, what },
      // RFC 6750, section 3.1
      challenges: [`Bearer error="insufficient_scope", scope="${wanted[0]}"`],
    },
  );
}

/**
 * Holds the caller to the scopes that applications name for their event types (E7.2, E7.3): one of
 * them for every type, or for at least one type. Types that no application has want nothing. Throws
 * `PERMISSION_DENIED`.
 */
export async function requireScopes(options: {
  readonly catalogue: Catalogue;
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
    if (!isCovered) refusals.push(insufficientScope(scopes, eventType));
  }
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
}
