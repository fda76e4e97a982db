// The door of the domain. It stays light: the service itself is loaded when a process opens it.
import type { Context, ContextOptions } from './create-context.ts';

export { serveOnStdio } from './serve-on-stdio.ts';
export { contextMigrations } from './store/context-migrations.ts';
export type { ContextUseCases, SubscriptionUseCases } from './use-cases.ts';

/** The MCP endpoint, loaded only by a process that runs it. */
export async function openContext(options: ContextOptions): Promise<Context> {
  const { createContext } = await import('./create-context.ts');
  return createContext(options);
}
