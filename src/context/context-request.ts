import type { ContextCaller } from './caller.ts';

/** One request that was let in. `signal` fires when its streams have to end. */
export type ContextRequest = {
  readonly caller: ContextCaller;
  readonly body: unknown;
  readonly signal: AbortSignal;
};
