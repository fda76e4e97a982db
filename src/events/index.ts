// The door of the domain. It stays light: the service itself is loaded when a process opens it.
import type { Events, EventsOptions } from './create-events.ts';

export { eventsSettings } from './config.ts';
export type { Events } from './create-events.ts';
export type { IdentifyCaller } from './model/caller.ts';
export { eventsScopes } from './scopes.ts';
export { eventsMigrations } from './store/events-migrations.ts';
export { replaceSealed } from './store/replace-sealed.ts';

/** Opens the events service. Its code is loaded only by a process that runs it. */
export async function openEvents(options: EventsOptions): Promise<Events> {
  const { createEvents } = await import('./create-events.ts');
  return createEvents(options);
}
