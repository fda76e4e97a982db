import * as oauth from 'oauth4webapi';
import type { OutboundFetch } from '../../../kernel/outbound/outbound-fetch.ts';
import { parseUrl } from '../../../kernel/text/url.ts';
import { type Clock, systemClock } from '../../../kernel/wait/clock.ts';
import { rememberAnswer } from '../../../kernel/wait/remembered.ts';
import { AuthorizationError } from '../../authorization-error.ts';
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

type ProviderOptions = Omit<ProviderDiscoveryOptions, 'isOpenId'> & {
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
      const given = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: isOpenId ? nonce : oauth.expectNoNonce,
        requireIdToken: isOpenId,
      });
      const claims = oauth.getValidatedIdTokenClaims(given);
      if (claims !== undefined) checkIdToken(claims, clientId);
      // The ID token comes straight from the token endpoint, whose TLS vouches for it (OpenID Connect Core section 3.1.3.7,
      // item 6). Without TLS its signature does (F93).
      if (claims !== undefined && options.issuer.protocol === 'http:') {
        await oauth.validateApplicationLevelSignature(server, response, library);
      }
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

/** Throws `server_error` for an ID token that was given to another client (F93). */
function checkIdToken({ azp }: oauth.IDToken, clientId: string): void {
  if (azp === undefined || azp === clientId) return;
  throw new AuthorizationError(
    'server_error',
    'The identity provider gave its ID token to another client (azp): nobody was signed in.',
  );
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

/** Somebody as the identity provider knows them. */
type IdentityProviderPerson = { readonly subject: string; readonly name: string };

/** Who signed in. Asks in the way that fits the server: an OpenID provider tells by user info, an OAuth server by introspection. */
async function describePerson(
  discovered: DiscoveredProvider,
  signedIn: {
    readonly accessToken: string;
    readonly claims: oauth.IDToken | undefined;
    readonly isOpenId: boolean;
  },
): Promise<IdentityProviderPerson> {
  const { accessToken, claims, isOpenId } = signedIn;
  const { server, client, library } = discovered;
  const { userinfo_endpoint: userInfo, introspection_endpoint: introspection } = server;
  if (userInfo !== undefined && (isOpenId || introspection === undefined)) {
    const response = await oauth.userInfoRequest(server, client, accessToken, library);
    const expected = claims?.sub ?? oauth.skipSubjectCheck;
    return toPerson(await oauth.processUserInfoResponse(server, client, expected, response));
  }
  if (claims !== undefined) return toPerson(claims);
  const { sub, username } =
    introspection === undefined ? {} : await introspect(discovered, accessToken);
  if (sub !== undefined) return toPerson({ sub, preferred_username: username });
  throw new AuthorizationError('server_error', 'The identity provider does not say who signed in.');
}

/** What the identity provider knows of a token (RFC 7662). */
async function introspect(discovered: DiscoveredProvider, accessToken: string) {
  const { server, client, authentication, library } = discovered;
  const response = await oauth.introspectionRequest(
    server,
    client,
    authentication,
    accessToken,
    library,
  );
  return oauth.processIntrospectionResponse(server, client, response);
}

/** Whom the claims of an identity provider are about. Throws `server_error` for a subject that could pass for another. */
export function toPerson(
  claims: { sub: string } & Readonly<Record<string, unknown>>,
): IdentityProviderPerson {
  if (/\p{Cc}/u.test(claims.sub) || claims.sub !== claims.sub.trim()) {
    throw new AuthorizationError(
      'server_error',
      'The subject by which the identity provider names the person holds control characters, or begins or ends with a space, so it could pass for another: have the provider send it without them.',
    );
  }
  const names = [claims.name, claims.preferred_username, claims.email, claims.sub];
  const [name = ''] = names.map(cleanName).filter((given) => given !== '');
  return { subject: claims.sub, name };
}

/** A name as it is kept: without characters that show nothing or move their neighbours, as names of our own are (F55). */
function cleanName(given: unknown): string {
  if (typeof given !== 'string') return '';
  return given.slice(0, 1_000).replaceAll(/\p{C}/gu, '').trim().slice(0, 80);
}

/** What every call to the identity provider is made with, as oauth4webapi wants it. */
type DiscoveredProvider = {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly library: {
    readonly [oauth.customFetch]: OutboundFetch;
    readonly [oauth.allowInsecureRequests]: boolean;
  };
};

type ProviderDiscoveryOptions = {
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
function createProviderDiscovery(
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
