import { type FieldViolation, StatusError } from '../../kernel/edge/status-error.ts';

export {
  type FieldViolation,
  type PreconditionViolation,
  type Status,
  statuses,
} from '../../kernel/edge/status-error.ts';

/** A refusal of the events service. */
export class EventsError extends StatusError {}

/** The most bad fields that an error names: a small request can have more of them than an answer could hold (N1). */
export const mostViolations = 50;

/** The refusal of a request for its bad fields; names each of them, up to {@link mostViolations} (E8.1). */
export function invalidArgument(
  found: readonly FieldViolation[],
  reason = 'INVALID_FIELDS',
): EventsError {
  const fieldViolations = found.slice(0, mostViolations);
  const fields = fieldViolations.map(({ field }) => field).join(', ');
  const told = fieldViolations.map(({ field, description }) => `${field} ${description}`);
  const problems = [...told, ...(found.length > told.length ? ['and more'] : [])].join('; ');
  return new EventsError('INVALID_ARGUMENT', `The request is refused: ${problems}.`, {
    reason,
    metadata: { fields, problems },
    fieldViolations,
  });
}

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
