import { EventsError, type FieldViolation } from './events-error.ts';

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
