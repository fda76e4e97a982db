import type { FieldViolation } from '../../errors/events-error.ts';
import { eventsLimits } from '../../limits.ts';
import type { CatalogueMatch } from '../../model/application.ts';

// E6.13
const mostEventTypes = eventsLimits.eventTypes.value;

/**
 * What is wrong with a list of event types for a target (E2.4, E6.13). If the target is not known,
 * checks only the length of the list.
 */
export function checkEventTypes(
  eventTypes: readonly string[],
  match: CatalogueMatch | undefined,
): FieldViolation[] {
  if (eventTypes.length === 0) {
    return [{ field: 'eventTypes', description: 'must list at least one event type' }];
  }
  if (new Set(eventTypes).size > mostEventTypes) {
    const description = `lists ${new Set(eventTypes).size} event types, but at most ${mostEventTypes} are allowed`;
    return [{ field: 'eventTypes', description }];
  }
  return eventTypes.flatMap((eventType, index) => {
    if (match === undefined || match.eventTypes.includes(eventType)) return [];
    return [{ field: `eventTypes[${index}]`, description: explain(eventType, match) }];
  });
}

function explain(eventType: string, { application, eventTypes }: CatalogueMatch): string {
  const shown = JSON.stringify(eventType.slice(0, 255));
  if (eventType.startsWith('google.workspace.events.subscription.')) {
    return `is ${shown}, which every subscription gets without asking: leave it out`;
  }
  const base = Object.entries(application.batchTypes).find(([, batch]) => batch === eventType)?.[0];
  if (base !== undefined) {
    return `is ${shown}, which every subscription to ${base} gets without asking: list ${base} instead`;
  }
  return `is ${shown}, which the target does not have: use some of ${eventTypes.join(', ')}`;
}
