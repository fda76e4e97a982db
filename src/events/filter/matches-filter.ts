import type { Subscription } from '../model/subscription.ts';
import type { Filter } from './parse-filter.ts';

/** Whether a subscription matches the filter. */
export function matchesFilter(
  filter: Filter,
  subscription: Pick<Subscription, 'eventTypes' | 'targetResource'>,
): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.of.every((part) => matchesFilter(part, subscription));
    case 'any':
      return filter.of.some((part) => matchesFilter(part, subscription));
    case 'eventType':
      return subscription.eventTypes.includes(filter.value);
    case 'targetResource':
      return subscription.targetResource === filter.value;
  }
}

/** The event types that a filter names. */
export function eventTypesIn(filter: Filter): readonly string[] {
  if (filter.kind === 'all' || filter.kind === 'any') return filter.of.flatMap(eventTypesIn);
  return filter.kind === 'eventType' ? [filter.value] : [];
}
