// The door of the domain. It stays light: the service itself is loaded when a process opens it.
export { authorizationSettings } from './config.ts';
export { authorizationMigrations } from './server/store/authorization-migrations.ts';
