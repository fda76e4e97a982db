import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { describe, expect, test } from 'vitest';
import { useServer } from '../support/run-tradewind.ts';
import { visit } from '../support/stand-in-browser.ts';

const password = 'correct-horse-battery';
const redirectUri = 'http://127.0.0.1:8765/callback';
const scope = 'swap.read subscriptions.read';

const running = useServer({ environment: { TRADEWIND_OWNER_PASSWORD: password } });

describe('openid-client', () => {
  test.each(['client_secret_basic', 'client_secret_post', 'none'] as const)(
    'registers with %s, authorizes, refreshes, introspects and revokes',
    async (method) => {
      const config = await registerByOpenid(new URL(running.url), {
        token_endpoint_auth_method: method,
      });
      const tokens = await authorizeByOpenid(config);
      expect(tokens.scope).toBe(scope);
      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(renewed.refresh_token).not.toBe(tokens.refresh_token);

      await openid.tokenRevocation(config, renewed.refresh_token ?? '');
      await expect(
        openid.refreshTokenGrant(config, renewed.refresh_token ?? ''),
      ).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      if (method === 'none') return; // a public client may not introspect (R4)
      const after = await openid.tokenIntrospection(config, renewed.access_token);
      expect(after).toEqual({ active: false });
    },
  );

  test('pushes its request first, and binds the code and the tokens to its key', async () => {
    const config = await registerByOpenid(new URL(running.url), {
      token_endpoint_auth_method: 'none',
    });
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('EdDSA'));
    const verifier = openid.randomPKCECodeVerifier();
    const url = await openid.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri: redirectUri,
        scope,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 'x',
      },
      { DPoP },
    );
    expect([...url.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri']);
    const callback = new URL(await visit(url.href, { password }));
    const checks = { pkceCodeVerifier: verifier, expectedState: 'x' };
    const tokens = await openid.authorizationCodeGrant(config, callback, checks, undefined, {
      DPoP,
    });
    expect(tokens.token_type).toBe('dpop');
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, {
      DPoP,
    });
    expect(renewed.token_type).toBe('dpop');
  });

  test('gets access_denied when the person refuses', async () => {
    const config = await registerByOpenid(new URL(running.url));
    await expect(authorizeByOpenid(config, 'deny')).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  test('starts a device authorization', async () => {
    const config = await registerByOpenid(new URL(running.url), {
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: [],
      response_types: [],
    });
    const started = await openid.initiateDeviceAuthorization(config, { scope });
    expect(started.verification_uri).toMatch(/\/device$/);
  });
});

describe('oauth4webapi', () => {
  let server: oauth.AuthorizationServer;

  test('discovers, registers, and acts for itself with a key of its own', async () => {
    server = await discover(new URL(running.url));
    expect(server.authorization_response_iss_parameter_supported).toBe(true);
    const client = await registerByOauth(server, { grant_types: ['client_credentials'] });
    const authentication = oauth.ClientSecretBasic(String(client.client_secret));
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      { scope },
      { DPoP, ...plainHttp },
    );
    const tokens = await oauth.processClientCredentialsResponse(server, client, response);
    expect(tokens).toMatchObject({ token_type: 'dpop', scope });
    expect(tokens).not.toHaveProperty('refresh_token');

    const seen = await oauth.processIntrospectionResponse(
      server,
      client,
      await oauth.introspectionRequest(
        server,
        client,
        authentication,
        tokens.access_token,
        plainHttp,
      ),
    );
    expect(seen).toMatchObject({ active: true, client_id: client.client_id, scope });
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, tokens.access_token, plainHttp),
    );
    const after = await oauth.introspectionRequest(
      server,
      client,
      authentication,
      tokens.access_token,
      plainHttp,
    );
    expect(await after.json()).toEqual({ active: false });
  });

  test('authenticates by assertions that it signs', async () => {
    server = await discover(new URL(running.url));
    const { privateKey, publicKey } = await oauth.generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: '1', use: 'sig' };
    const client = await registerByOauth(server, {
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk] } as unknown as oauth.JsonObject, // a JWK is such an object
    });
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.PrivateKeyJwt({ key: privateKey, kid: '1' }),
      {},
      plainHttp,
    );
    const tokens = await oauth.processClientCredentialsResponse(server, client, response);
    expect(tokens.scope).toBe(scope);
  });

  test('validates the tokens it gets as RFC 9068 says [R5]', async () => {
    server = await discover(new URL(running.url));
    const client = await registerByOauth(server, { grant_types: ['client_credentials'] });
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(String(client.client_secret)),
      { resource: `${server.issuer}/mcp` },
      plainHttp,
    );
    const { access_token } = await oauth.processClientCredentialsResponse(server, client, response);
    const request = new Request(`${server.issuer}/mcp`, {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(
      server,
      request,
      `${server.issuer}/mcp`,
      plainHttp,
    );
    expect(claims).toMatchObject({ client_id: client.client_id, sub: client.client_id });
  });
});

/** The libraries refuse plain HTTP unless told that this is a test. */
const plainHttp = { [oauth.allowInsecureRequests]: true } as const;

function registerByOpenid(issuer: URL, metadata: Partial<openid.ClientMetadata> = {}) {
  const whole = {
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    ...metadata,
  };
  const authentication = metadata.token_endpoint_auth_method === 'none' ? openid.None() : undefined;
  return openid.dynamicClientRegistration(issuer, whole, authentication, {
    execute: [openid.allowInsecureRequests],
    algorithm: 'oauth2',
  });
}

async function authorizeByOpenid(config: openid.Configuration, decision?: 'deny') {
  const verifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  const visitor = { password, ...(decision === undefined ? {} : { decision }) };
  const callback = new URL(await visit(url.href, visitor));
  return openid.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
}

async function discover(issuer: URL): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plainHttp });
  return oauth.processDiscoveryResponse(issuer, response);
}

async function registerByOauth(
  server: oauth.AuthorizationServer,
  metadata: Partial<oauth.Client>,
): Promise<oauth.Client> {
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, plainHttp);
  return oauth.processDynamicClientRegistrationResponse(response);
}
