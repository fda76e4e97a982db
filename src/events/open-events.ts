import type { Events, EventsOptions } from './create-events.ts';

/** Change notifications, loaded only by a process that runs them. */
export async function openEvents(options: EventsOptions): Promise<Events> {
  const { createEvents } = await import('./create-events.ts');
  return createEvents(options);
}
