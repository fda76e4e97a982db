// The door of the domain. It stays light: the service itself is loaded when a process opens it.
export type { IdentifyCaller } from './caller.ts';
export { eventsSettings } from './config.ts';
export type { Events } from './create-events.ts';
export { openEvents } from './open-events.ts';
export { eventsScopes } from './scopes.ts';
export { eventsMigrations } from './store/migrations/events-migrations.ts';
export { replaceSealed } from './store/replace-sealed.ts';
