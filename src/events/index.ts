// The door of the domain. It stays light: the service itself is loaded when a process opens it.
export { eventsSettings } from './config.ts';
export { openEvents } from './open-events.ts';
export { eventsMigrations } from './store/events-migrations.ts';
