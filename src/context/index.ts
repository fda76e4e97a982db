// The door of the domain. It stays light: the service itself is loaded when a process opens it.
export { openContext } from './open-context.ts';
export { serveOnStdio } from './serve-on-stdio.ts';
export { contextMigrations } from './store/context-migrations.ts';
export type { ContextUseCases, SubscriptionUseCases } from './use-cases.ts';
