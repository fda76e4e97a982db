import type { Context, ContextOptions } from './create-context.ts';

/** The MCP endpoint, loaded only by a process that runs it. */
export async function openContext(options: ContextOptions): Promise<Context> {
  const { createContext } = await import('./create-context.ts');
  return createContext(options);
}
