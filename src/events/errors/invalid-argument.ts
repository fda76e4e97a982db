import { EventsError, type FieldViolation } from './events-error.ts';

/** As many bad fields are named as somebody reads: a small request can have more than an answer could tell (N1). */
export const mostViolations = 50;

/** The refusal of a request for its bad fields, each of them named, up to a number (E8.1). */
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
