// The door `tradewind/guard`: what protects a server by tokens of an authorization server elsewhere.
export { AuthorizationError, type AuthorizationErrorCode } from '../authorization-error.ts';
export { createGuard, type GuardOptions } from './guard.ts';
export { type GuardEnv, honoGuard } from './hono-guard.ts';
export { expressGuard, type GuardedMessage, type GuardedRequest, nodeGuard } from './node-guard.ts';
export type {
  Guard,
  GuardVerdict,
  Principal,
  Refusal,
  Requirement,
  ResourceGuard,
  ResourceMetadata,
} from './principal.ts';
