import type { ServerResponse } from 'node:http';
import { type GuardedMessage, nodeGuard } from './node-guard.ts';
import type { Guard, Principal, Requirement } from './principal.ts';

/** The part of an Express request that the guard reads and writes. */
export type GuardedRequest = GuardedMessage & { principal?: Principal };

/** Lets only requests through that meet the requirement, with `request.principal` set. */
export function expressGuard(guard: Guard, requirement?: Requirement) {
  const judge = nodeGuard(guard, requirement);
  return async (
    request: GuardedRequest,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    try {
      const principal = await judge(request, response);
      if (principal === undefined) return;
      request.principal = principal;
      next();
    } catch (error) {
      next(error);
    }
  };
}
