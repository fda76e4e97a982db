import { EventsError, type FieldViolation } from './events-error.ts';

/** The refusal of a request for its bad fields, each of them named (E8.1). */
export function invalidArgument(
  fieldViolations: readonly FieldViolation[],
  reason = 'INVALID_FIELDS',
): EventsError {
  const fields = fieldViolations.map(({ field }) => field).join(', ');
  const problems = fieldViolations
    .map(({ field, description }) => `${field} ${description}`)
    .join('; ');
  return new EventsError('INVALID_ARGUMENT', `The request is refused: ${problems}.`, {
    reason,
    metadata: { fields, problems },
    fieldViolations,
  });
}
