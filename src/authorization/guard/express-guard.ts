import type { ServerResponse } from 'node:http';
import { type GuardedMessage, nodeGuard } from './node-guard.ts';
import type { Guard, Principal, Requirement } from './principal.ts';

/**
 * The part of an Express request that the guard reads and writes.
 *
 * @example
 * ```ts
 * import type { GuardedRequest } from 'tradewind/guard';
 *
 * export const callerOf = (request: GuardedRequest) => request.principal?.subject;
 * ```
 */
export type GuardedRequest = GuardedMessage & { principal?: Principal };

/**
 * Lets a request through only if it meets the requirement, with `request.principal` set.
 *
 * @example
 * ```ts
 * import express from 'express';
 * import { createGuard, expressGuard } from 'tradewind/guard';
 *
 * const guard = createGuard({
 *   issuer: 'https://tradewind.example.com',
 *   resource: 'https://api.example.com/mcp',
 * });
 * export const app = express();
 * app.get(guard.metadata.path, (_request, response) => void response.json(guard.metadata.document));
 * app.use('/mcp', expressGuard(guard, { scope: ['crm.read'] }));
 * ```
 */
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
