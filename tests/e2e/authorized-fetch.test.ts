import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import {
  type AuthorizedFetchOptions,
  createAuthorizedFetch,
  credentialsFromEnvironment,
  openVault,
  revokeGrants,
} from '../../src/authorization/client/index.ts';
import { allowAtOnce, redirectOf } from '../support/allow-at-once.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import {
  type ContextWorld,
  metadataOf,
  startContextWorld,
} from '../support/start-context-world.ts';

function open(world: ContextWorld, options: Partial<AuthorizedFetchOptions> = {}) {
  return createAuthorizedFetch({
    serverUrl: world.serverUrl,
    vault: new Map(),
    openBrowser: allowAtOnce,
    ...options,
  });
}

const form = (body: string) => Object.fromEntries(new URLSearchParams(body));

describe('the flow', () => {
  it('starts with a 401 and not before [C1]', async () => {
    const world = await startContextWorld();
    world.overrides.set('/mcp', (context) => context.json({ ok: true }));
    const fetchAuthorized = await open(world);
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(world.seen.map(({ path }) => path)).toEqual(['/mcp']);
    world.overrides.clear();
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(world.to('/authorize')).toHaveLength(1);
  });

  it('reads metadata first and leaves default paths alone where there is any [C2]', async () => {
    const world = await startContextWorld();
    const document = world.documents.get('/.well-known/oauth-authorization-server')!;
    document.token_endpoint = `${world.origin}/elsewhere/token`;
    world.overrides.set('/elsewhere/token', (context) =>
      fetch(`${world.origin}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded': '1' },
        body: context.req.raw.body,
        duplex: 'half',
      }),
    );
    expect((await (await open(world))(world.serverUrl)).status).toBe(200);
    expect(world.to('/token').every(({ headers }) => headers.has('x-forwarded'))).toBe(true);
  });

  it('uses the default paths of the base URL where no document is found [C2, C4]', async () => {
    const world = await startContextWorld('/deep/down/mcp');
    world.documents.clear();
    expect((await (await open(world))(world.serverUrl)).status).toBe(200);
    const paths = world.seen.map(({ path }) => path);
    expect(paths.indexOf('/register')).toBeGreaterThan(
      paths.indexOf('/.well-known/oauth-authorization-server'),
    );
    expect(paths).toEqual(expect.arrayContaining(['/authorize', '/token']));
  });

  it('does not take a failing server for one without metadata [C2]', async () => {
    const world = await startContextWorld();
    world.overrides.set('/.well-known/oauth-authorization-server', (context) =>
      context.text('', 503),
    );
    await expect((await open(world))(world.serverUrl)).rejects.toMatchObject({
      code: 'UNREACHABLE',
    });
    expect(world.to('/register')).toEqual([]);
  });

  it('sends both version headers with discovery, of the version that the request spoke [C3]', async () => {
    const world = await startContextWorld();
    await (await open(world))(world.serverUrl, {
      headers: { 'mcp-protocol-version': '2025-06-18' },
    });
    const wellKnown = world.seen.filter(({ path }) => path.startsWith('/.well-known/'));
    expect(wellKnown.length).toBeGreaterThan(0);
    for (const { headers } of wellKnown) {
      expect(headers.get('ctx-protocol-version')).toBe('2025-06-18');
      expect(headers.get('mcp-protocol-version')).toBe('2025-06-18');
    }
  });

  it('proves every authorization by S256 with a verifier of its own [C5]', async () => {
    const world = await startContextWorld();
    for (const _round of [1, 2]) await (await open(world))(world.serverUrl);
    const challenges = world.to('/authorize').map(({ url }) => new URL(url).searchParams);
    expect(challenges.map((query) => query.get('code_challenge_method'))).toEqual(['S256', 'S256']);
    expect(new Set(challenges.map((query) => query.get('code_challenge'))).size).toBe(2);
  });

  it('refuses a server that offers no S256 [C5, A9]', async () => {
    const world = await startContextWorld();
    const document = world.documents.get('/.well-known/oauth-authorization-server')!;
    document.code_challenge_methods_supported = ['plain'];
    await expect((await open(world))(world.serverUrl)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    expect(world.to('/authorize')).toEqual([]);
  });

  it('sends the token in the header of every request and in no URL [C6]', async () => {
    const world = await startContextWorld();
    const fetchAuthorized = await open(world);
    for (const _round of [1, 2, 3]) {
      await fetchAuthorized(world.serverUrl, { method: 'POST', body: '{"a":1}' });
    }
    const [first, ...others] = world.to('/mcp');
    expect(first?.headers.has('authorization')).toBe(false);
    expect(others.map(({ headers }) => headers.get('authorization'))).toEqual(
      Array(3).fill(expect.stringMatching(/^Bearer access-/)),
    );
    expect(others.map(({ body }) => body)).toEqual(Array(3).fill('{"a":1}'));
    expect(world.seen.filter(({ url }) => url.includes('access-'))).toEqual([]);
  });

  it('sends the token to no other origin [C6]', async () => {
    const [world, stranger] = [await startContextWorld(), await startContextWorld()];
    const fetchAuthorized = await open(world);
    await fetchAuthorized(world.serverUrl);
    await fetchAuthorized(stranger.serverUrl);
    expect(stranger.seen.map(({ headers }) => headers.get('authorization'))).toEqual([null]);
  });

  it('registers as a native application with a redirect on this machine [C7, C10, L7]', async () => {
    const world = await startContextWorld();
    await (await open(world))(world.serverUrl);
    expect(JSON.parse(world.to('/register')[0]!.body)).toMatchObject({
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)],
    });
  });

  it.each(['http://client.example/callback', 'javascript:alert(1)'])(
    'takes no redirect URI like %s [C10]',
    async (redirectUri) => {
      const world = await startContextWorld();
      const fetchAuthorized = await open(world, { redirectUri });
      await expect(fetchAuthorized(world.serverUrl)).rejects.toThrow(/redirect URI/);
      expect(world.to('/authorize')).toEqual([]);
    },
  );

  it('uses configured credentials, and as the client itself where that is allowed [C7]', async () => {
    const world = await startContextWorld();
    world.clients.set('made-beforehand', { isService: true });
    const openBrowser = vi.fn();
    const credentials = { clientId: 'made-beforehand', clientSecret: 's3cret', openBrowser };
    const fetchAuthorized = await open(world, credentials);
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(openBrowser).not.toHaveBeenCalled();
    expect(world.to('/register')).toEqual([]);
    expect(form(world.to('/token')[0]!.body)).toMatchObject({ grant_type: 'client_credentials' });
  });

  it('asks a person where configured credentials may not act for themselves [C7]', async () => {
    const world = await startContextWorld();
    world.clients.set('made-beforehand', {});
    const fetchAuthorized = await open(world, { clientId: 'made-beforehand', clientSecret: 'x' });
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(world.to('/authorize')).toHaveLength(1);
  });

  it('asks for a client id where the server registers nobody [C7]', async () => {
    const world = await startContextWorld();
    delete world.documents.get('/.well-known/oauth-authorization-server')!.registration_endpoint;
    await expect((await open(world))(world.serverUrl)).rejects.toMatchObject({
      code: 'CLIENT_ID_NEEDED',
      message: expect.stringContaining('TRADEWIND_CLIENT_ID'),
    });
    world.clients.set('told-by-a-person', {});
    const askClientId = vi.fn(async () => ({ clientId: 'told-by-a-person' }));
    const fetchAuthorized = await open(world, { askClientId });
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(askClientId).toHaveBeenCalledWith(world.origin);
  });

  it('takes credentials from the environment, which is all there is on stdio [S15]', () => {
    expect(
      credentialsFromEnvironment({ TRADEWIND_CLIENT_ID: 'a', TRADEWIND_CLIENT_SECRET: 'b' }),
    ).toEqual({ clientId: 'a', clientSecret: 'b', registrationToken: undefined });
    expect(credentialsFromEnvironment({ TRADEWIND_CLIENT_ID: '' }).clientId).toBeUndefined();
  });
});

describe('the vault', () => {
  it('keeps tokens in sealed files for their owner alone [C8]', async () => {
    const world = await startContextWorld();
    const directory = join(createDataDir(), 'client');
    const vault = openVault({ directory, keyring: undefined });
    await (await open(world, { vault }))(world.serverUrl);
    const files = readdirSync(directory).filter((name) => !name.endsWith('.lock'));
    expect(files.length).toBeGreaterThanOrEqual(4);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of files) {
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(directory, name), 'latin1')).not.toMatch(/access-|refresh-|client-/);
    }
  });

  it('has its key in the keyring of the system where that works [C8]', async () => {
    const directory = createDataDir();
    let secret: string | undefined;
    const keyring = {
      get: async () => secret,
      set: async (given: string) => {
        secret = given;
      },
    };
    await openVault({ directory, keyring }).set('a key', 'a token');
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readdirSync(directory)).not.toContain('master.key');
    expect(await openVault({ directory, keyring }).get('a key')).toBe('a token');
    expect(await openVault({ directory: directory, keyring: undefined }).get('a key')).toBe(
      undefined,
    );
  });

  it.each([
    ['rejects', { get: () => Promise.reject(new Error('locked')), set: async () => {} }],
    ['forgets', { get: async () => undefined, set: async () => {} }],
  ])('falls back to a key file where the keyring %s [C8]', async (_what, keyring) => {
    const directory = createDataDir();
    await openVault({ directory, keyring }).set('a key', 'a token');
    expect(await openVault({ directory, keyring }).get('a key')).toBe('a token');
    expect(statSync(join(directory, 'master.key')).mode & 0o777).toBe(0o600);
  });

  it('is enough for another process to go on without a person [C9]', async () => {
    const world = await startContextWorld();
    const vault = openVault({ directory: createDataDir(), keyring: undefined });
    await (await open(world, { vault }))(world.serverUrl);
    const openBrowser = vi.fn();
    const fetchAgain = await open(world, { vault, openBrowser });
    expect((await fetchAgain(world.serverUrl)).status).toBe(200);
    expect(openBrowser).not.toHaveBeenCalled();
    expect(world.to('/register')).toHaveLength(1);
  });
});

describe('renewal', () => {
  async function signedIn(options: Partial<AuthorizedFetchOptions> = {}) {
    const world = await startContextWorld();
    const clock = createFakeClock(Date.now());
    const openBrowser = vi.fn(allowAtOnce);
    const vault = new Map<string, string>();
    const shared = { vault, openBrowser, clock, ...options };
    const fetchAuthorized = await open(world, shared);
    await fetchAuthorized(world.serverUrl);
    return { world, clock, openBrowser, vault, shared, fetchAuthorized };
  }

  it('refreshes a token that has expired before it is refused, without a person [C9]', async () => {
    const { world, clock, openBrowser, fetchAuthorized } = await signedIn();
    const before = world.to('/mcp').length;
    clock.advance(3_600_000);
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(world.to('/mcp')).toHaveLength(before + 1);
    expect(form(world.to('/token').at(-1)!.body)).toMatchObject({ grant_type: 'refresh_token' });
    expect(openBrowser).toHaveBeenCalledTimes(1);
  });

  it('refreshes a token that is refused although it has not expired [C9]', async () => {
    const { world, openBrowser, fetchAuthorized } = await signedIn();
    world.accessTokens.clear();
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(openBrowser).toHaveBeenCalledTimes(1);
  });

  it('asks a person only when the refresh token is refused too [C9]', async () => {
    const { world, openBrowser, fetchAuthorized } = await signedIn();
    world.accessTokens.clear();
    world.refreshTokens.clear();
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(openBrowser).toHaveBeenCalledTimes(2);
  });

  it('keeps the grant when the server fails to refresh it [C9]', async () => {
    const { world, clock, openBrowser, fetchAuthorized } = await signedIn();
    clock.advance(3_600_000);
    world.overrides.set('/token', (context) => context.text('down', 503));
    await expect(fetchAuthorized(world.serverUrl)).rejects.toThrow(/token/);
    world.overrides.clear();
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(openBrowser).toHaveBeenCalledTimes(1);
  });

  it('throws instead of asking where no person shall be asked [C9]', async () => {
    const world = await startContextWorld();
    const fetchAuthorized = await open(world, { isInteractive: false });
    await expect(fetchAuthorized(world.serverUrl)).rejects.toMatchObject({
      code: 'SIGN_IN_NEEDED',
    });
  });

  it('returns a 401 that persists with a fresh token, after one sign-in [C9]', async () => {
    const world = await startContextWorld();
    world.overrides.set('/mcp', (context) =>
      context.text('never', 401, { 'www-authenticate': 'Bearer' }),
    );
    const openBrowser = vi.fn(allowAtOnce);
    const response = await (await open(world, { openBrowser }))(world.serverUrl);
    expect([response.status, await response.text()]).toEqual([401, 'never']);
    expect(openBrowser).toHaveBeenCalledTimes(1);
  });

  it('refreshes once for requests that are refused together [C13]', async () => {
    const { world, openBrowser, fetchAuthorized } = await signedIn();
    world.accessTokens.clear();
    const wellKnown = '/.well-known/oauth-authorization-server';
    const before = [world.to('/token').length, world.to(wellKnown).length] as const;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fetchAuthorized(world.serverUrl)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(world.to('/token')).toHaveLength(before[0] + 1);
    expect(world.to(wellKnown)).toHaveLength(before[1] + 1);
    expect(openBrowser).toHaveBeenCalledTimes(1);
  });

  it('registers again when the refresh reveals that the server has forgotten the client [C11]', async () => {
    const { world, openBrowser, fetchAuthorized } = await signedIn();
    world.unknownClientStatus = 200;
    world.accessTokens.clear();
    world.clients.clear();
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(world.to('/register')).toHaveLength(2);
    expect(openBrowser).toHaveBeenCalledTimes(2);
  });

  it('registers again when the sign-in page would show an error, before a person sees it [C11]', async () => {
    const { world, openBrowser, fetchAuthorized } = await signedIn();
    world.accessTokens.clear();
    world.refreshTokens.clear();
    world.overrides.set('/token', (context) => {
      world.overrides.clear();
      world.clients.clear();
      return context.json({ error: 'invalid_grant' }, 400);
    });
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(world.to('/register')).toHaveLength(2);
    const [, second] = openBrowser.mock.calls;
    expect(new URL(second![0]).searchParams.get('client_id')).not.toBe('client-1');
  });

  it('refreshes as the client it was granted to, though another process registered anew [C9]', async () => {
    const { world, vault, openBrowser, fetchAuthorized } = await signedIn();
    const client = [...vault.keys()].find((key) => key.startsWith('client '))!;
    vault.set(client, JSON.stringify({ clientId: 'of-another-process', isDynamic: true }));
    world.accessTokens.clear();
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(openBrowser).toHaveBeenCalledTimes(1);
  });

  it('lets requests with valid tokens pass while a person signs in for more, and lets waiting ones be aborted [C9]', async () => {
    const { world, openBrowser, fetchAuthorized } = await signedIn();
    const asked = Promise.withResolvers<string>();
    openBrowser.mockImplementation(async (url) => asked.resolve(url));
    const narrow = (context: Context) =>
      context.text('', 403, {
        'www-authenticate': 'Bearer error="insufficient_scope", scope="more"',
      });
    world.overrides.set('/mcp', (context) =>
      context.req.query('more') === undefined || world.accessTokens.size > 1
        ? context.json({ ok: true })
        : narrow(context),
    );
    const more = `${world.serverUrl}?more`;
    const wide = fetchAuthorized(more);
    const url = await asked.promise;
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    const impatient = fetchAuthorized(more, { signal: AbortSignal.timeout(50) });
    await expect(impatient).rejects.toThrow(/timeout/);
    await allowAtOnce(url);
    expect((await wide).status).toBe(200);
  });

  it('revokes the grants at the server and deletes them', async () => {
    const { world, shared, fetchAuthorized, openBrowser } = await signedIn();
    const document = world.documents.get('/.well-known/oauth-authorization-server')!;
    document.revocation_endpoint = `${world.origin}/revoke`;
    world.overrides.set('/revoke', (context) => context.body(null, 200));
    world.accessTokens.clear();
    await fetchAuthorized(world.serverUrl);
    const options = { ...shared, serverUrl: world.serverUrl };
    expect(await revokeGrants(options)).toMatchObject([{ isRevoked: true }]);
    const revoked = world.to('/revoke').map(({ body }) => form(body).token);
    expect(revoked).toEqual([
      expect.stringMatching(/^refresh-/),
      expect.stringMatching(/^access-/),
    ]);
    expect(await revokeGrants(options)).toEqual([]);
    await (await open(world, shared))(world.serverUrl);
    expect(openBrowser).toHaveBeenCalledTimes(2);
  });
});

describe('without a browser', () => {
  it('takes the redirect that a person pastes [C12]', async () => {
    const world = await startContextWorld();
    const openBrowser = vi.fn();
    const pasteRedirect = vi.fn((url: string) => redirectOf(url).then((text) => ` ${text}\n`));
    const fetchAuthorized = await open(world, { openBrowser, pasteRedirect });
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(pasteRedirect).toHaveBeenCalledWith(
      openBrowser.mock.calls[0]![0],
      expect.any(AbortSignal),
    );
  });

  it('takes no pasted answer to another sign-in [C12, A8]', async () => {
    const world = await startContextWorld();
    const pasteRedirect = async (url: string) => {
      const answer = new URL(await redirectOf(url));
      answer.searchParams.set('state', 'of-somebody-else');
      return answer.href;
    };
    const fetchAuthorized = await open(world, { openBrowser: () => {}, pasteRedirect });
    await expect(fetchAuthorized(world.serverUrl)).rejects.toMatchObject({
      code: 'INVALID_REDIRECT',
    });
    expect(world.to('/token')).toEqual([]);
  });

  it('signs in by the device flow, in the interval of the server [C12]', async () => {
    const world = await startContextWorld();
    const document = world.documents.get('/.well-known/oauth-authorization-server')!;
    document.device_authorization_endpoint = `${world.origin}/device`;
    const verification = `${world.origin}/activate`;
    world.overrides.set('/device', (context) =>
      context.json({
        device_code: 'device-1',
        user_code: 'ABCD-EFGH',
        verification_uri: verification,
        expires_in: 600,
        interval: 5,
      }),
    );
    const answers = ['authorization_pending', 'slow_down', 'authorization_pending'];
    world.accessTokens.set('by-device', '');
    world.overrides.set('/token', (context) => {
      const error = answers.shift();
      return error === undefined
        ? context.json({ access_token: 'by-device', token_type: 'bearer' })
        : context.json({ error }, 400);
    });
    const slept: number[] = [];
    const clock = {
      now: () => slept.reduce((sum, one) => sum + one, 0),
      elapsed: () => 0,
      sleep: async (milliseconds: number) => void slept.push(milliseconds),
    };
    const showDeviceCode = vi.fn();
    // The deadlines of the client's requests run on the same clock.
    const fetchAuthorized = await open(world, { showDeviceCode, clock: withoutDeadlines(clock) });
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(showDeviceCode).toHaveBeenCalledWith({
      userCode: 'ABCD-EFGH',
      verificationUri: verification,
      verificationUriComplete: undefined,
      expiresInSeconds: 600,
    });
    expect(slept).toEqual([5_000, 5_000, 10_000, 10_000]);
  });

  it('says so where the server has no device flow, and opens no browser instead [C12]', async () => {
    const world = await startContextWorld();
    const [openBrowser, showDeviceCode] = [vi.fn(), vi.fn()];
    const fetchAuthorized = await open(world, { openBrowser, showDeviceCode });
    await expect(fetchAuthorized(world.serverUrl)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('with a browser instead'),
    });
    expect(openBrowser).not.toHaveBeenCalled();
  });
});

/** Makes the deadlines of the outbound client never pass, since no test here waits for one. */
function withoutDeadlines(clock: NonNullable<AuthorizedFetchOptions['clock']>) {
  const deadline = 30_000;
  return {
    ...clock,
    sleep: (milliseconds: number) =>
      milliseconds === deadline ? new Promise<void>(() => {}) : clock.sleep(milliseconds),
  };
}

describe('later revisions', () => {
  const tenant = '/tenant1';

  it.each([
    `/.well-known/oauth-authorization-server${tenant}`,
    `/.well-known/openid-configuration${tenant}`,
    `${tenant}/.well-known/openid-configuration`,
  ])('finds the metadata of a named server at %s [L3]', async (place) => {
    const world = await startContextWorld();
    world.documents.clear();
    world.iss = `${world.origin}${tenant}`;
    world.documents.set('/.well-known/oauth-protected-resource', {
      resource: world.serverUrl,
      authorization_servers: [world.iss],
    });
    world.documents.set(place, {
      ...metadataOf(world.iss, world.origin),
      authorization_endpoint: `${world.origin}/authorize?from=the-document`,
    });
    expect((await (await open(world))(world.serverUrl)).status).toBe(200);
    const asked = new URL(world.to('/authorize')[0]!.url).searchParams;
    expect(asked.get('from')).toBe('the-document');
    expect(asked.get('resource')).toBe(world.serverUrl);
    expect(form(world.to('/token')[0]!.body).resource).toBe(world.serverUrl);
  });

  it('asks for the union of scopes when more is needed, and goes on [L5]', async () => {
    const world = await startContextWorld();
    world.neededScope = 'read';
    const fetchAuthorized = await open(world);
    await fetchAuthorized(world.serverUrl);
    world.neededScope = 'write';
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    const asked = world.to('/authorize').map(({ url }) => new URL(url).searchParams.get('scope'));
    expect([asked[0], asked.at(-1)]).toEqual(['read', 'read write']);
  });

  it('falls back to the scope of its registration where the wanted scope is refused [L5]', async () => {
    const world = await startContextWorld();
    world.documents.set('/.well-known/oauth-protected-resource', {
      resource: world.serverUrl,
      authorization_servers: [world.origin],
      scopes_supported: ['read', 'write'],
    });
    world.overrides.set('/mcp', (context) => {
      world.overrides.delete('/mcp');
      return context.text('', 401, { 'www-authenticate': 'Bearer' });
    });
    const openBrowser = vi.fn(async (url: string) => {
      const { searchParams } = new URL(url);
      if (!searchParams.has('scope')) return allowAtOnce(url);
      const answer = {
        error: 'invalid_scope',
        state: searchParams.get('state')!,
        iss: world.origin,
      };
      await fetch(`${searchParams.get('redirect_uri')}?${new URLSearchParams(answer)}`);
    });
    expect((await (await open(world, { openBrowser }))(world.serverUrl)).status).toBe(200);
    expect(openBrowser).toHaveBeenCalledTimes(2);
    const insisting = await open(world, { openBrowser, scope: 'write' });
    await expect(insisting(world.serverUrl)).rejects.toMatchObject({
      details: { error: 'invalid_scope' },
    });
  });

  it('gives up when more scope is not granted, however often it is asked for [L5]', async () => {
    const world = await startContextWorld();
    world.neededScope = 'read';
    const openBrowser = vi.fn(allowAtOnce);
    const fetchAuthorized = await open(world, { openBrowser });
    await fetchAuthorized(world.serverUrl);
    world.neededScope = 'never';
    world.overrides.set('/token', (context) => {
      world.accessTokens.set('too-small', 'read');
      return context.json({ access_token: 'too-small', token_type: 'bearer', scope: 'read' });
    });
    for (const _round of [1, 2, 3]) {
      expect((await fetchAuthorized(world.serverUrl)).status).toBe(403);
    }
    expect(openBrowser).toHaveBeenCalledTimes(2);
  });

  it('shows the credentials of one issuer to no other [L7]', async () => {
    const [world, successor] = [await startContextWorld(), await startContextWorld()];
    const fetchAuthorized = await open(world);
    await fetchAuthorized(world.serverUrl);
    world.documents.set('/.well-known/oauth-protected-resource', {
      resource: world.serverUrl,
      authorization_servers: [successor.origin],
    });
    const known = new Set([...world.accessTokens.keys(), ...world.refreshTokens.keys()]);
    world.accessTokens.clear();
    successor.overrides.set('/token', (context) => {
      world.accessTokens.set('of-the-successor', '');
      return context.json({ access_token: 'of-the-successor', token_type: 'bearer' });
    });
    expect((await fetchAuthorized(world.serverUrl)).status).toBe(200);
    expect(successor.to('/register')).toHaveLength(1);
    for (const { url, body, headers } of successor.seen) {
      const sent = `${url} ${body} ${headers.get('authorization')}`;
      for (const token of known) expect(sent).not.toContain(token);
    }
  });
});
