import { type EventsCaller, isAdmin, principalOf } from '../caller.ts';
import type { Application } from '../model/application.ts';
import type { EventVisibility } from '../model/lane-sight.ts';
import type { PublishedEvent } from '../model/published-event.ts';

/** Whether an event may be seen. */
export type EventSight = (event: Pick<PublishedEvent, 'type' | 'publisher'>) => boolean;

/**
 * Which published events a caller may see (K4): those of applications whose scopes the token covers. With the
 * visibility `own`, only those of them that the caller's account or this server published. An admin sees all. Batch
 * events and lifecycle events are left out, because no publisher sent them.
 */
export function createEventSight(options: {
  readonly caller: EventsCaller;
  readonly applications: readonly Application[];
  readonly visibility: EventVisibility;
}): EventSight {
  const { caller, applications, visibility } = options;
  const seesAll = isAdmin(caller);
  const types = new Set<string>();
  for (const { scopes, targets } of applications) {
    const isCovered = scopes.length === 0 || scopes.some((scope) => caller.scope.includes(scope));
    if (!seesAll && !isCovered) continue;
    for (const { eventTypes } of targets) for (const type of eventTypes) types.add(type);
  }
  const isOwn = (publisher: string) =>
    publisher === principalOf(caller) ||
    (caller.isPerson && publisher.endsWith(` for ${caller.subject}`));
  return ({ type, publisher }) =>
    types.has(type) && (seesAll || visibility === 'shared' || publisher === '' || isOwn(publisher));
}
