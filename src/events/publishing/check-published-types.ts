import type { FieldViolation } from '../errors/events-error.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';
import type { Catalogue } from '../model/application.ts';
import type { NewEvent } from '../model/event.ts';

/**
 * Refuses events from outside whose type the catalogue does not know, or that this server alone
 * publishes. Throws `INVALID_ARGUMENT` that names each by its index (E14.5).
 */
export async function checkPublishedTypes(
  events: readonly NewEvent[],
  catalogue: Pick<Catalogue, 'applicationOf'>,
): Promise<void> {
  const problems = new Map<string, string | undefined>();
  for (const { type } of events) {
    if (!problems.has(type)) problems.set(type, await findProblem(type, catalogue));
  }
  const violations = events.flatMap(({ type }, index): FieldViolation[] => {
    const description = problems.get(type);
    const field = events.length === 1 ? 'type' : `events[${index}].type`;
    return description === undefined ? [] : [{ field, description }];
  });
  if (violations.length > 0) throw invalidArgument(violations, 'UNKNOWN_EVENT_TYPE');
}

async function findProblem(
  type: string,
  catalogue: Pick<Catalogue, 'applicationOf'>,
): Promise<string | undefined> {
  if (type.startsWith('tradewind.')) {
    return `is ${type}, which only this server publishes`;
  }
  const application = await catalogue.applicationOf(type);
  const isKnown = application?.targets.some(({ eventTypes }) => eventTypes.includes(type));
  return isKnown
    ? undefined
    : `is ${type}, which no application has: GET /v1/applications (tradewind applications list) lists all event types`;
}
