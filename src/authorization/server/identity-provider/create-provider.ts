import * as oauth from 'oauth4webapi';
import { parseUrl } from '../../../kernel/text/parse-url.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import {
  createProviderDiscovery,
  type DiscoveredProvider,
  type ProviderDiscoveryOptions,
} from './create-provider-discovery.ts';
import { describePerson, type IdentityProviderPerson, introspect } from './describe-person.ts';
import { isTokenRefusal } from './explain-failure.ts';

/** What the identity provider gave us for a person. It never leaves this folder unsealed. */
export type IdentityProviderTokens = {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** When the access token ends, in milliseconds since the epoch, where the identity provider said so. */
  readonly expiresAt: number | undefined;
};

/** What our side of one sign-in remembers until the person is back. */
export type Handshake = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

/** The identity provider as its client sees it. `explainFailure` translates its errors. */
export type Provider = {
  /** Where the person signs in there. */
  authorizationUrl(
    handshake: Handshake & { codeChallenge: string; mustSignIn: boolean },
  ): Promise<URL>;
  /** Checks the answer (`state`, `iss`) and exchanges its code, bound by PKCE and nonce. */
  complete(
    answer: URLSearchParams,
    handshake: Handshake,
  ): Promise<{ tokens: IdentityProviderTokens; person: IdentityProviderPerson }>;
  /** Fresh tokens, or `undefined` where the identity provider no longer honours the refresh token. */
  renew(refreshToken: string): Promise<IdentityProviderTokens | undefined>;
  /** Whether the identity provider still honours a token; `true` where it offers no way to tell. */
  isActive(accessToken: string): Promise<boolean>;
};

export type ProviderOptions = Omit<ProviderDiscoveryOptions, 'isOpenId'> & {
  /** Separated by spaces; `openid` among them makes it an OpenID provider. */
  readonly scopes: string;
  readonly redirectUri: string;
};

/** Any OpenID provider or OAuth server that describes itself at a well-known address. */
export function createProvider(options: ProviderOptions): Provider {
  const { clientId, scopes, redirectUri, clock } = options;
  const isOpenId = scopes.split(' ').includes('openid');
  const discoverProvider = createProviderDiscovery({ ...options, isOpenId });

  return {
    async authorizationUrl({ state, nonce, codeChallenge, mustSignIn }) {
      const { server } = await discoverProvider();
      return writeAuthorizationUrl(server, {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        ...(isOpenId ? { nonce } : {}),
        ...promptFor(scopes.split(' '), mustSignIn),
      });
    },

    async complete(answer, { state, nonce, codeVerifier }) {
      const discovered = await discoverProvider();
      const { server, client, authentication, library } = discovered;
      const checked = oauth.validateAuthResponse(server, client, answer, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        checked,
        redirectUri,
        codeVerifier,
        library,
      );
      // The ID token comes straight from the token endpoint, whose TLS vouches for it (OpenID Connect
      // Core section 3.1.3.7, item 6).
      const given = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: isOpenId ? nonce : oauth.expectNoNonce,
        requireIdToken: isOpenId,
      });
      const claims = oauth.getValidatedIdTokenClaims(given);
      const tokens = toTokens(given, clock.now());
      const { accessToken } = tokens;
      return {
        tokens,
        person: await describePerson(discovered, { accessToken, claims, isOpenId }),
      };
    },

    async renew(refreshToken) {
      const { server, client, authentication, library } = await discoverProvider();
      try {
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          refreshToken,
          library,
        );
        const given = await oauth.processRefreshTokenResponse(server, client, response);
        const tokens = toTokens(given, clock.now());
        return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
      } catch (error) {
        if (isTokenRefusal(error)) return undefined;
        throw error;
      }
    },

    isActive: async (accessToken) => isHonoured(await discoverProvider(), accessToken),
  };
}

async function isHonoured(discovered: DiscoveredProvider, accessToken: string): Promise<boolean> {
  const { server, client, library } = discovered;
  if (server.introspection_endpoint !== undefined) {
    return (await introspect(discovered, accessToken)).active;
  }
  if (server.userinfo_endpoint === undefined) return true;
  const response = await oauth.userInfoRequest(server, client, accessToken, library);
  if (response.status >= 500) throw new Error('the identity provider failed');
  return response.status !== 401;
}

function toTokens(answer: oauth.TokenEndpointResponse, now: number): IdentityProviderTokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetime } = answer;
  const expiresAt = lifetime === undefined ? undefined : now + lifetime * 1_000;
  return { accessToken, refreshToken, expiresAt };
}

function writeAuthorizationUrl(
  { authorization_endpoint: endpoint = '' }: oauth.AuthorizationServer,
  parameters: Readonly<Record<string, string>>,
): URL {
  const url = parseUrl(endpoint);
  if (url === undefined) {
    throw new AuthorizationError(
      'server_error',
      'The metadata of the identity provider has no authorization endpoint.',
    );
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

function promptFor(scopes: readonly string[], mustSignIn: boolean): { prompt?: string } {
  // OpenID Connect Core section 11: offline access is given only where consent is asked for.
  const prompts = [
    ...(mustSignIn ? ['login'] : []),
    ...(scopes.includes('offline_access') ? ['consent'] : []),
  ];
  return prompts.length === 0 ? {} : { prompt: prompts.join(' ') };
}
