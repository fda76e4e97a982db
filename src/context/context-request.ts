import type { ContextCaller } from './caller.ts';

/** One admitted request. `signal` fires when its streams have to end. */
export type ContextRequest = {
  readonly caller: ContextCaller;
  readonly body: unknown;
  readonly signal: AbortSignal;
};
