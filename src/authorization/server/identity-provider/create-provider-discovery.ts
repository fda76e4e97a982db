import * as oauth from 'oauth4webapi';
import { rememberAnswer } from '../../../kernel/memory/remember-answers.ts';
import type { OutboundFetch } from '../../../kernel/outbound-http/create-outbound-fetch.ts';
import { type Clock, systemClock } from '../../../kernel/time/clock.ts';

/** What every call to the identity provider is made with, as oauth4webapi wants it. */
export type DiscoveredProvider = {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly library: {
    readonly [oauth.customFetch]: OutboundFetch;
    readonly [oauth.allowInsecureRequests]: boolean;
  };
};

export type ProviderDiscoveryOptions = {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Which of its two documents is asked for first. */
  readonly isOpenId: boolean;
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
};

/** Metadata change rarely; an hour bounds how long a moved endpoint goes unnoticed. */
const metadataLifetime = 3_600_000;
/** In seconds, for clocks that differ. */
const clockTolerance = 30;

/** Finds the identity provider by its own metadata, read at the first call and then once an hour. */
export function createProviderDiscovery(
  options: ProviderDiscoveryOptions,
): () => Promise<DiscoveredProvider> {
  const { issuer, clientId, clientSecret, isOpenId, fetch, clock } = options;
  const library = {
    [oauth.customFetch]: fetch,
    // The settings allow http for an issuer on this machine or inside the operator's network.
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
  };
  const metadata = rememberAnswer({ keptFor: metadataLifetime, clock, ask: discover });

  return async () => {
    const server = await metadata.get();
    const client = {
      client_id: clientId,
      [oauth.clockSkew]: Math.round((clock.now() - systemClock.now()) / 1_000),
      [oauth.clockTolerance]: clockTolerance,
    };
    return { server, client, authentication: authenticationAt(server), library };
  };

  async function discover(): Promise<oauth.AuthorizationServer> {
    const ask = (algorithm: 'oidc' | 'oauth2') =>
      oauth.discoveryRequest(issuer, { algorithm, ...library });
    const first = await ask(isOpenId ? 'oidc' : 'oauth2');
    const response = first.status === 404 ? await ask(isOpenId ? 'oauth2' : 'oidc') : first;
    return oauth.processDiscoveryResponse(issuer, response);
  }

  function authenticationAt(server: oauth.AuthorizationServer): oauth.ClientAuth {
    if (clientSecret === undefined) return oauth.None();
    const methods = server.token_endpoint_auth_methods_supported;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return isBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
  }
}
