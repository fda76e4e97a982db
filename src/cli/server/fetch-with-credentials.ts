import { boundedFetch } from './bounded-fetch.ts';

type Fetch = typeof globalThis.fetch;

/** A `fetch` for one server, and whether it sends credentials. */
export type CredentialedFetch = { readonly fetch: Fetch; readonly hasCredentials: boolean };

/**
 * Requests with the credentials that the environment holds, and with no others (S15): the token in
 * `TRADEWIND_TOKEN`, else one that the server gives for `TRADEWIND_CLIENT_ID` and
 * `TRADEWIND_CLIENT_SECRET`. Nobody is asked to sign in, and nothing is kept but whom
 * the secret is for.
 */
export async function fetchWithCredentials(
  serverUrl: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CredentialedFetch> {
  const { TRADEWIND_TOKEN: token } = environment;
  if (token) return { fetch: withToken(serverUrl, token), hasCredentials: true };
  // Loaded only if no token is set: it imports the whole OAuth client.
  const { createAuthorizedFetch, credentialsFromEnvironment, openDefaultVault } = await import(
    '../../authorization/client/index.ts'
  );
  const { clientId, clientSecret, clientIssuer } = credentialsFromEnvironment(environment);
  if (!clientId || !clientSecret) return { fetch: boundedFetch, hasCredentials: false };
  const authorized = await createAuthorizedFetch({
    serverUrl,
    clientId,
    clientSecret,
    clientIssuer,
    isInteractive: false,
    vault: new Map(),
    bindings: openDefaultVault(environment),
    fetch: boundedFetch,
  });
  return { fetch: authorized, hasCredentials: true };
}

/** A `fetch` that sends the token to the server's origin only. */
export function withToken(serverUrl: string, token: string): Fetch {
  const { origin } = new URL(serverUrl);
  return (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin === origin) {
      request.headers.set('Authorization', `Bearer ${token}`);
    }
    // The caller's signal is passed as well, since the request's own only follows it.
    return boundedFetch(request, init?.signal ? { signal: init.signal } : {});
  };
}
