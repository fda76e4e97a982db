// The door `tradewind/guard`: what protects a server by tokens of an authorization server elsewhere.
export { createGuard, type GuardOptions } from './create-guard.ts';
export { expressGuard, type GuardedRequest } from './express-guard.ts';
export { honoGuard } from './hono-guard.ts';
export { nodeGuard } from './node-guard.ts';
export type { Guard, GuardVerdict, Principal, Refusal, Requirement } from './principal.ts';
