import { createAuthorizer, type Renewal } from './authorizer.ts';
import { readDemand } from './challenges.ts';
import { createClientContext } from './client-context.ts';
import { createDpopProver } from './dpop.ts';
import type { AuthorizedFetchOptions } from './options.ts';
import type { Grant } from './records.ts';

/** One for each of: the stored token, a refreshed one, a newly obtained one, one with more scope. */
const mostRenewals = 4;

/**
 * A `fetch` for one MCP server that obtains the tokens it needs. It sends a request with the stored token, if there
 * is one. A 401 starts discovery, registration and sign-in; a 403 for insufficient scope starts a sign-in with more
 * scope. Then it sends the request again. It keeps tokens in the vault, refreshes them, and sends them only to the
 * origin of `serverUrl`, in the `Authorization` header. It reads bodies into memory, so that it can send them again.
 * If the server still refuses, the caller gets that answer.
 *
 * The fetch throws `ClientError` where no token could be obtained.
 *
 * @example
 * ```ts
 * import { createAuthorizedFetch } from 'tradewind/client';
 *
 * const serverUrl = 'https://api.example.com/mcp';
 * const fetchAuthorized = await createAuthorizedFetch({ serverUrl });
 * export const ping = () =>
 *   fetchAuthorized(serverUrl, {
 *     method: 'POST',
 *     headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
 *     body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
 *   });
 * ```
 */
export async function createAuthorizedFetch(
  options: AuthorizedFetchOptions,
): Promise<typeof fetch> {
  const context = createClientContext(options);
  const authorizer = createAuthorizer(context);
  const { fetch: send = fetch, protocolVersion = '2025-03-26' } = options;
  let nonce: string | undefined;

  return async (input, init) => {
    const request = new Request(input, init);
    const signal = callersSignal(input, init);
    const beside = signal === undefined ? {} : { signal };
    if (new URL(request.url).origin !== context.serverUrl.origin) return send(request, beside);
    const body = request.body === null ? undefined : await request.arrayBuffer();
    let grant = await authorizer.current(signal);
    let last: Renewal | undefined;
    for (let renewals = 0; ; renewals++) {
      const response = await sendWith(grant);
      const next = renewals < mostRenewals ? await renew(response) : undefined;
      if (next === undefined) return response;
      await response.body?.cancel();
      last = next;
      grant = next.grant;
    }

    async function renew(response: Response): Promise<Renewal | undefined> {
      const { status } = response;
      if (status !== 401 && status !== 403) return undefined;
      const demand = readDemand(response);
      const refused = {
        grant,
        demand,
        protocolVersion: request.headers.get('mcp-protocol-version') ?? protocolVersion,
        mayRefresh: last === undefined,
        signal,
      };
      if (status === 401) return last?.isNew ? undefined : authorizer.renew(refused);
      const isScopeMissing = demand.error === 'insufficient_scope' && grant !== undefined;
      return isScopeMissing ? authorizer.widen(refused) : undefined;
    }

    async function sendWith(token: Grant | undefined): Promise<Response> {
      const response = await sendOnce(token);
      const asksForNonce =
        response.status === 401 && readDemand(response).error === 'use_dpop_nonce';
      const given = response.headers.get('dpop-nonce') ?? undefined;
      const isNew = given !== undefined && given !== nonce;
      nonce = given ?? nonce;
      if (token?.tokenType !== 'dpop' || !asksForNonce || !isNew) return response;
      await response.body?.cancel();
      return sendOnce(token);
    }

    async function sendOnce(token: Grant | undefined): Promise<Response> {
      const headers = new Headers(request.headers);
      if (token?.tokenType === 'bearer')
        headers.set('authorization', `Bearer ${token.accessToken}`);
      if (token?.tokenType === 'dpop' && token.dpopKey !== undefined) {
        const { accessToken, dpopKey } = token;
        const prover = await createDpopProver(dpopKey, context);
        const { method, url } = request;
        headers.set('authorization', `DPoP ${accessToken}`);
        headers.set('dpop', await prover.prove({ method, url, accessToken, nonce }));
      }
      const again = new Request(request, { headers, ...(body === undefined ? {} : { body }) });
      return send(again, beside);
    }
  };
}

/**
 * The caller's own signal, passed beside the request. A `Request` has its own signal that follows the caller's. The
 * garbage collector may take that signal, and the caller's abort with it: the body of an answer would then never end.
 */
function callersSignal(...[input, init]: Parameters<typeof fetch>): AbortSignal | undefined {
  return init?.signal ?? (input instanceof Request ? input.signal : undefined);
}
