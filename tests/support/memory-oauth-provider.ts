import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { visit } from './stand-in-browser.ts';

type ClientInformation = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;

/**
 * The OAuth provider that an application passes to the official clients. It keeps everything in memory, and the
 * owner signs in at a stand-in browser. `callback` is where the browser ended.
 */
export function createMemoryProvider(password: string) {
  let information: ClientInformation;
  let tokens: Tokens;
  let discovery: Discovery;
  let verifier = '';
  let callback: URL | undefined;
  let redirects = 0;
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:33418/callback',
    clientMetadata: {
      client_name: 'A client of others',
      redirect_uris: ['http://127.0.0.1:33418/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => information,
    saveClientInformation: (saved) => {
      information = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    async redirectToAuthorization(url) {
      redirects += 1;
      callback = new URL(await visit(url.href, { password }));
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => {
      discovery = saved;
    },
    discoveryState: () => discovery,
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'tokens') tokens = undefined;
    },
  };
  return {
    provider,
    callback: () => callback ?? new URL('about:blank'),
    /** How often the person was asked. */
    redirects: () => redirects,
    clientId: () => information?.client_id ?? '',
    tokens: () => tokens,
    /** Replaces the access token by one that the server does not know. */
    spoil: () => {
      if (tokens !== undefined) tokens = { ...tokens, access_token: 'spoiled' };
    },
  };
}
