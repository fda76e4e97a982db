import type { Events, EventsOptions } from './create-events.ts';

/** Opens the events service. Its code is loaded only by a process that runs it. */
export async function openEvents(options: EventsOptions): Promise<Events> {
  const { createEvents } = await import('./create-events.ts');
  return createEvents(options);
}
