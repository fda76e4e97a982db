import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard, Principal, Requirement } from './principal.ts';

/**
 * Judges a request of `node:http`. Answers who asks, or `undefined` after it has written the refusal;
 * then there is nothing left to do. Does not read the body.
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

/** Frameworks that cut the path they are mounted at from `url` keep all of it in `originalUrl`. */
export type GuardedMessage = IncomingMessage & { readonly originalUrl?: string };

/** What `Request` refuses to be made of. No proof can be for it either. */
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
