import { describe, expect, it } from 'vitest';
import {
  type AuthorizedFetchOptions,
  createAuthorizedFetch,
  credentialsFromEnvironment,
} from '../../src/authorization/client/index.ts';
import { fetchWithCredentials } from '../../src/cli/server/fetch-with-credentials.ts';
import { allowAtOnce } from '../support/allow-at-once.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import {
  type ContextWorld,
  metadataOf,
  startContextWorld,
} from '../support/start-context-world.ts';

const secret = 'the-secret-that-its-operator-gave';
const credentials = { clientId: 'bot', clientSecret: secret };
const metadataPath = '/.well-known/oauth-authorization-server';
const resourcePath = '/.well-known/oauth-protected-resource';

/** The server that the secret was given for, which knows the client. */
async function startHonest(): Promise<ContextWorld> {
  const world = await startContextWorld();
  world.clients.set('bot', { isService: true });
  return world;
}

/** A server that is after the secret, and takes every client. */
async function startHostile(): Promise<ContextWorld> {
  const world = await startHonest();
  world.documents.set(resourcePath, {
    resource: world.serverUrl,
    authorization_servers: [world.origin],
  });
  return world;
}

const open = ({ serverUrl }: ContextWorld, options: Partial<AuthorizedFetchOptions>) =>
  createAuthorizedFetch({ serverUrl, openBrowser: allowAtOnce, isInteractive: false, ...options });

/** Calls a server, whatever comes of it. */
async function call(world: ContextWorld, options: Partial<AuthorizedFetchOptions>) {
  const fetchAuthorized = await open(world, options);
  return fetchAuthorized(world.serverUrl).then(
    ({ status }) => status,
    (error: { code: string; message: string }) => error,
  );
}

/** Whether any request to a server had the secret, in any of its spellings. */
function hasSeen({ seen }: ContextWorld, wanted: string): boolean {
  return seen.some(({ url, body, headers }) => {
    const basic = (headers.get('authorization') ?? '').replace(/^Basic /, '');
    const texts = [
      url,
      body,
      JSON.stringify([...headers]),
      Buffer.from(basic, 'base64').toString(),
    ];
    return texts.some((text) => text.includes(wanted));
  });
}

describe('the secret of a client', () => {
  it('goes to the first issuer that it was used at, and to no other [F42, N24]', async () => {
    const [honest, hostile] = [await startHonest(), await startHostile()];
    const options = { ...credentials, vault: new Map<string, string>() };
    expect(await call(honest, options)).toBe(200);
    expect(hasSeen(honest, secret)).toBe(true);
    expect(await call(hostile, options)).toMatchObject({
      code: 'ISSUER_MISMATCH',
      message: expect.stringMatching(
        new RegExp(`is for ${honest.origin}, .*TRADEWIND_CLIENT_ISSUER=${hostile.origin}`),
      ),
    });
    expect(hasSeen(hostile, secret)).toBe(false);
    expect(await call(honest, options)).toBe(200);
  });

  it('goes to the configured issuer alone, whatever documents a server has [F42, N24]', async () => {
    const honest = await startHonest();
    const { origin } = honest;
    const named = { ...credentials, clientIssuer: `${origin}/` };
    const documents: ((world: ContextWorld) => void)[] = [
      () => {},
      ({ documents }) => documents.delete(resourcePath),
      ({ documents }) => documents.clear(),
      (world) => world.documents.set(metadataPath, metadataOf(origin, world.origin)),
      (world) =>
        world.documents.set(metadataPath, { ...metadataOf(world.origin), issuer: `${origin}/` }),
      (world) =>
        world.documents.set(resourcePath, {
          resource: world.serverUrl,
          authorization_servers: [`${world.origin}/${encodeURIComponent(origin)}`, origin],
        }),
      (world) =>
        world.documents.set(metadataPath, {
          ...metadataOf(world.origin),
          token_endpoint_auth_methods_supported: ['client_secret_post'],
        }),
    ];
    for (const change of documents) {
      const hostile = await startHostile();
      change(hostile);
      await call(hostile, { ...named, vault: new Map() });
      expect(hostile.seen.length).toBeGreaterThan(0);
      expect(hasSeen(hostile, secret)).toBe(false);
    }
    expect(await call(honest, { ...named, vault: new Map() })).toBe(200);
  });

  it('is not sent where whom it is for cannot be stored [F42, N24]', async () => {
    const world = await startHonest();
    const readOnly = {
      get: () => undefined,
      delete: () => undefined,
      set: () => Promise.reject(new Error('read-only file system')),
    };
    const outcome = await call(world, { ...credentials, vault: new Map(), bindings: readOnly });
    expect(outcome).toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining(`TRADEWIND_CLIENT_ISSUER=${world.origin}`),
    });
    expect(hasSeen(world, secret)).toBe(false);
  });

  it('is bound for the command line across its processes, and so is a registration token [F42, N24]', async () => {
    const [honest, hostile] = [await startHonest(), await startHostile()];
    const environment = {
      TRADEWIND_DATA_DIR: createDataDir(),
      TRADEWIND_KEYRING: 'off',
      TRADEWIND_CLIENT_ID: 'bot',
      TRADEWIND_CLIENT_SECRET: secret,
    };
    const ask = async ({ serverUrl }: ContextWorld, more: Record<string, string> = {}) => {
      const { fetch } = await fetchWithCredentials(serverUrl, { ...environment, ...more });
      return fetch(serverUrl).then(
        ({ status }) => status,
        ({ code }: { code: string }) => code,
      );
    };
    expect([await ask(honest), await ask(hostile), await ask(honest)]).toEqual([
      200,
      'ISSUER_MISMATCH',
      200,
    ]);
    expect(hasSeen(hostile, secret)).toBe(false);
    expect(await ask(hostile, { TRADEWIND_CLIENT_ISSUER: honest.origin })).toBe('ISSUER_MISMATCH');
    expect(hasSeen(hostile, secret)).toBe(false);

    const registrationToken = 'the-token-that-opens-registration';
    const { clientIssuer } = credentialsFromEnvironment({ TRADEWIND_CLIENT_ISSUER: honest.origin });
    const options = { registrationToken, clientIssuer, isInteractive: true, vault: new Map() };
    expect(await call(hostile, options)).toMatchObject({ code: 'ISSUER_MISMATCH' });
    expect(hasSeen(hostile, registrationToken)).toBe(false);
    expect(await call(honest, { ...options, vault: new Map() })).toBe(200);
  });
});
