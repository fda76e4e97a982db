import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard, Principal, Requirement } from './principal.ts';

/**
 * Checks a request of `node:http`. Returns the principal, or `undefined` after it has written the
 * refusal; then there is nothing left to do. Does not read the body.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createGuard, nodeGuard } from 'tradewind/guard';
 *
 * const guard = createGuard({
 *   issuer: 'https://tradewind.example.com',
 *   resource: 'https://api.example.com/mcp',
 * });
 * const letIn = nodeGuard(guard, { scope: ['crm.read'] });
 * export const server = createServer(async (request, response) => {
 *   if (request.url === guard.metadata.path) {
 *     response.setHeader('content-type', 'application/json');
 *     response.end(JSON.stringify(guard.metadata.document));
 *     return;
 *   }
 *   const principal = await letIn(request, response);
 *   if (principal !== undefined) response.end(`Hello, ${principal.subject}.`);
 * });
 * ```
 */
export function nodeGuard(guard: Guard, requirement?: Requirement) {
  return async (
    incoming: GuardedMessage,
    outgoing: ServerResponse,
  ): Promise<Principal | undefined> => {
    const judged = await guard.protect(toRequest(incoming), requirement);
    if (!(judged instanceof Response)) return judged;
    outgoing.writeHead(judged.status, Object.fromEntries(judged.headers));
    outgoing.end(await judged.text());
    return undefined;
  };
}

/**
 * A request of `node:http`. Frameworks that cut the path they are mounted at from `url` keep all of it in
 * `originalUrl`.
 *
 * @example
 * ```ts
 * import type { GuardedMessage } from 'tradewind/guard';
 *
 * export const pathOf = ({ originalUrl, url }: GuardedMessage) => originalUrl ?? url;
 * ```
 */
export type GuardedMessage = IncomingMessage & { readonly originalUrl?: string };

/** Methods that `Request` does not accept. No proof can be for them either. */
const forbiddenMethod = /^(connect|trace|track)$/i;

/** As much of the request as the guard looks at; the name of the host is not part of it. */
function toRequest({ method = 'GET', url = '/', originalUrl = url, headers }: GuardedMessage) {
  const { authorization, dpop } = headers;
  const kept = new Headers();
  if (authorization !== undefined) kept.set('authorization', authorization);
  if (dpop !== undefined) kept.set('dpop', [dpop].flat().join(', '));
  return new Request(new URL(originalUrl.replace(/^\/*/, '/'), 'http://guarded.invalid'), {
    method: forbiddenMethod.test(method) ? 'GET' : method,
    headers: kept,
  });
}

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
