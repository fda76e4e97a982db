import { EventsError } from './events-error.ts';

/** The refusal of a token without a required scope (E7.5, E8.5). One of `wanted` would be enough. */
export function insufficientScope(
  wanted: readonly string[],
  options: { readonly what: string; readonly challenges?: readonly string[] },
): EventsError {
  // RFC 6750, section 3.1
  const bare = `Bearer error="insufficient_scope", scope="${wanted[0]}"`;
  const { what, challenges = [bare] } = options;
  const scopes = wanted.join(' or ');
  return new EventsError(
    'PERMISSION_DENIED',
    `The token has no scope for ${what}: ask for one with ${scopes}.`,
    {
      reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      metadata: { scopes, what },
      challenges,
    },
  );
}
