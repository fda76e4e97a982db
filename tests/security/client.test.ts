import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDiscoveryFetch } from '../../src/authorization/client/discovery-fetch.ts';
import {
  type AuthorizedFetchOptions,
  createAuthorizedFetch,
  openSystemBrowser,
} from '../../src/authorization/client/index.ts';
import { openRedirectListener } from '../../src/authorization/client/sign-in/authorize.ts';
import { allowAtOnce, redirectOf } from '../support/allow-at-once.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { serveHttp } from '../support/serve-http.ts';
import {
  type ContextWorld,
  metadataOf,
  startContextWorld,
} from '../support/start-context-world.ts';

const metadataPath = '/.well-known/oauth-authorization-server';

function open(world: ContextWorld, options: Partial<AuthorizedFetchOptions> = {}) {
  const { serverUrl } = world;
  return createAuthorizedFetch({
    serverUrl,
    vault: new Map(),
    openBrowser: allowAtOnce,
    ...options,
  });
}

/** A program that writes its arguments to the file `mark` when it is started. */
function createBrowser() {
  const directory = createDataDir();
  const [mark, browser] = [join(directory, 'started'), join(directory, 'browser')];
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${mark}.part\nmv ${mark}.part ${mark}\n`,
  );
  chmodSync(browser, 0o755);
  return { browser, mark };
}

describe('a hostile authorization endpoint starts no program [A1]', () => {
  const endpoints = (origin: string) => [
    `a:$(touch pwned)?`,
    `${origin}/$(touch pwned)`,
    `${origin}/authorize?x=$(touch pwned)`,
    `${origin}/\`touch pwned\``,
    `${origin}/authorize;touch pwned`,
    `${origin}/authorize|touch pwned`,
    `${origin}/authorize" & calc.exe "`,
    `--flag=${origin}`,
    '--new-window',
    '-e',
    'file:///etc/passwd',
    'javascript:alert(document.cookie)',
    'data:text/html,<script>alert(1)</script>',
    'ms-settings:privacy',
    `http://user:secret@127.0.0.1/authorize`,
    'http://authorize.example/plain-http',
    '\\\\evil\\share',
    '',
  ];

  it.each(endpoints('http://127.0.0.1:1').map((_endpoint, index) => index))(
    'number %i',
    async (index) => {
      const world = await startContextWorld();
      const document = world.documents.get(metadataPath)!;
      document.authorization_endpoint = endpoints(world.origin)[index];
      const openBrowser = vi.fn();
      const fetchAuthorized = await open(world, { openBrowser, signInTimeoutMs: 1_000 });
      await expect(fetchAuthorized(world.serverUrl)).rejects.toMatchObject({
        code: expect.stringMatching(/^(UNSAFE|INSECURE)_URL$/),
      });
      expect(openBrowser).not.toHaveBeenCalled();
      expect(() => openSystemBrowser(endpoints(world.origin)[index]!)).toThrow(/address/);
    },
  );

  it('nor does a verification URI of the device flow', async () => {
    const world = await startContextWorld();
    world.documents.get(metadataPath)!.device_authorization_endpoint = `${world.origin}/device`;
    world.overrides.set('/device', (context) =>
      context.json({
        device_code: 'a',
        user_code: 'b',
        verification_uri: 'file:///etc/passwd',
        expires_in: 600,
      }),
    );
    const showDeviceCode = vi.fn();
    await expect((await open(world, { showDeviceCode }))(world.serverUrl)).rejects.toMatchObject({
      code: 'UNSAFE_URL',
    });
    expect(showDeviceCode).not.toHaveBeenCalled();
  });

  it('while an honest address reaches the browser as one argument, without a shell', async () => {
    const { browser, mark } = createBrowser();
    const url = 'http://127.0.0.1:1/authorize?scope=a+b&state=x%24%28y%29&redirect_uri=z';
    openSystemBrowser(url, { environment: { PATH: process.env.PATH, BROWSER: browser } });
    await expect.poll(() => existsSync(mark)).toBe(true);
    expect(readFileSync(mark, 'utf8')).toBe(`${url}\n`);
  });
});

describe('a server on the public internet leads the client nowhere else [A7]', () => {
  const resolve = async (name: string) =>
    name.endsWith('.inner.example') ? ['10.1.2.3'] : ['93.184.216.34'];
  const fetchFrom = (serverUrl: string) =>
    createDiscoveryFetch({ serverUrl: new URL(serverUrl), resolve });

  it('not to this machine, whose services trust whoever can reach them', async () => {
    const hits: string[] = [];
    const canary = await serveHttp((request, response) => {
      hits.push(request.url ?? '');
      response.end('{}');
    });
    const { port } = new URL(canary);
    const fetchLeg = fetchFrom('https://context.example/mcp');
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0177.0.0.1', '127.1']) {
      await expect(fetchLeg(`http://${host}:${port}/`)).rejects.toMatchObject({
        code: 'ADDRESS_REFUSED',
      });
    }
    expect(hits).toEqual([]);
  });

  it.each([
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/latest/meta-data/',
    'https://0251.0376.0251.0376/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fe80::1]/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://[fd00::1]/',
    'https://100.64.0.1/',
    'https://name.inner.example/',
  ])('not to %s', async (url) => {
    await expect(fetchFrom('https://context.example/mcp')(url)).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
    });
  });

  it('and one on the inner network not to this machine or to where clouds keep credentials', async () => {
    const fetchLeg = fetchFrom('https://context.inner.example/mcp');
    for (const url of ['https://127.0.0.1/', 'https://169.254.169.254/']) {
      await expect(fetchLeg(url)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    }
  });

  it('nor one on this machine to where clouds keep credentials', async () => {
    const fetchLeg = fetchFrom('http://localhost:8787/mcp');
    await expect(fetchLeg('https://169.254.169.254/')).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
    });
  });

  it.each([
    ['the public internet', '93.184.216.34'],
    ['the inner network', '10.1.2.3'],
  ])(
    'by no name that leads to %s when it is checked and elsewhere when it is used',
    async (_where, first) => {
      const answers = [[first], ['127.0.0.1']];
      const fetchLeg = createDiscoveryFetch({
        serverUrl: new URL('https://rebind.example/mcp'),
        resolve: async () => answers.shift() ?? ['127.0.0.1'],
      });
      await expect(fetchLeg('https://rebind.example/')).rejects.toMatchObject({
        code: 'ADDRESS_REFUSED',
      });
    },
  );

  it('by the challenge of a whole flow', async () => {
    const refused = (resourceMetadata: string) =>
      createAuthorizedFetch({
        serverUrl: 'https://93.184.216.34/mcp',
        vault: new Map(),
        openBrowser: () => {},
        fetch: async () =>
          new Response(null, {
            status: 401,
            headers: { 'www-authenticate': `Bearer resource_metadata="${resourceMetadata}"` },
          }),
      });
    for (const place of ['https://169.254.169.254/x', 'http://169.254.169.254/x', 'file:///etc']) {
      const fetchAuthorized = await refused(place);
      await expect(fetchAuthorized('https://93.184.216.34/mcp')).rejects.toMatchObject({
        code: expect.stringMatching(/^(ADDRESS_REFUSED|INSECURE_URL|UNSAFE_URL)$/),
      });
    }
  });

  it('by no redirect', async () => {
    const world = await startContextWorld();
    const hits: string[] = [];
    const canary = await serveHttp((request, response) => {
      hits.push(request.url ?? '');
      response.end('{}');
    });
    for (const path of [metadataPath, '/token', '/register']) {
      world.overrides.set(path, (context) => context.redirect(`${canary}/stolen`, 307));
    }
    await expect((await open(world))(world.serverUrl)).rejects.toThrow();
    world.overrides.delete(metadataPath);
    await expect((await open(world))(world.serverUrl)).rejects.toThrow();
    world.overrides.delete('/register');
    await expect((await open(world))(world.serverUrl)).rejects.toThrow();
    expect(hits).toEqual([]);
  });

  it('and cannot exhaust its memory with an endless document', async () => {
    let sent = 0;
    const origin = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(64 * 1024, 32);
      const pump = () => {
        do sent += chunk.length;
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pump);
      pump();
    });
    const fetchLeg = createDiscoveryFetch({ serverUrl: new URL(origin) });
    await expect(fetchLeg(`${origin}/`)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('servers are not mixed up [A8]', () => {
  it.each([
    ['another issuer', () => 'https://evil.example'],
    ['a trailing slash more', (origin: string) => `${origin}/`],
    ['another letter case', (origin: string) => origin.toUpperCase()],
    ['none, though it is promised', () => undefined],
  ])('an answer that names %s is not exchanged [L6]', async (_what, issOf) => {
    const world = await startContextWorld();
    world.iss = issOf(world.origin);
    await expect((await open(world))(world.serverUrl)).rejects.toMatchObject({
      code: 'INVALID_REDIRECT',
    });
    expect(world.to('/token')).toEqual([]);
  });

  it('nor one that names another issuer where none is promised [L6]', async () => {
    const world = await startContextWorld();
    delete world.documents.get(metadataPath)!.authorization_response_iss_parameter_supported;
    world.iss = 'https://evil.example';
    await expect((await open(world))(world.serverUrl)).rejects.toMatchObject({
      code: 'INVALID_REDIRECT',
    });
    expect(world.to('/token')).toEqual([]);
  });

  it('an error that names another issuer is not believed [L6]', async () => {
    const world = await startContextWorld();
    const openBrowser = async (url: string) => {
      const { searchParams } = new URL(await redirectOf(url));
      const query = new URLSearchParams({
        error: 'access_denied',
        state: searchParams.get('state')!,
        iss: 'https://evil.example',
      });
      await fetch(`${new URL(url).searchParams.get('redirect_uri')}?${query}`);
    };
    await expect((await open(world, { openBrowser }))(world.serverUrl)).rejects.toMatchObject({
      code: 'INVALID_REDIRECT',
    });
  });

  it.each([
    ['a named server', true],
    ['the base URL', false],
  ])('metadata of another issuer, found for %s, is not used [L6]', async (_what, isNamed) => {
    const world = await startContextWorld();
    world.documents.set(metadataPath, metadataOf('https://honest.example', world.origin));
    if (isNamed) {
      world.documents.set('/.well-known/oauth-protected-resource', {
        resource: world.serverUrl,
        authorization_servers: [world.origin],
      });
    }
    await expect((await open(world))(world.serverUrl)).rejects.toMatchObject({
      code: 'ISSUER_MISMATCH',
    });
    for (const path of ['/register', '/authorize', '/token']) expect(world.to(path)).toEqual([]);
  });

  it('a server that presents the metadata of another resource gets no token', async () => {
    const world = await startContextWorld();
    world.documents.set('/.well-known/oauth-protected-resource', {
      resource: 'https://bank.example/mcp',
      authorization_servers: [world.origin],
    });
    await expect((await open(world))(world.serverUrl)).rejects.toMatchObject({
      code: 'RESOURCE_MISMATCH',
    });
    expect(world.to('/authorize')).toEqual([]);
  });

  it('metadata of a single path is not accepted for the whole host', async () => {
    const world = await startContextWorld();
    const wellKnown = '/.well-known/oauth-protected-resource';
    const part = { resource: world.serverUrl, authorization_servers: [world.origin] };
    world.overrides.set('/mcp', (context) =>
      context.req.header('authorization') === undefined
        ? context.text('', 401, {
            'www-authenticate': `Bearer resource_metadata="${world.origin}${wellKnown}/mcp"`,
          })
        : context.json({}),
    );
    world.documents.set(`${wellKnown}/mcp`, part);
    const atHost = await open(world, { serverUrl: world.origin });
    world.documents.set(wellKnown, part);
    await expect(atHost(world.serverUrl)).rejects.toMatchObject({ code: 'RESOURCE_MISMATCH' });
    expect(world.to('/authorize')).toEqual([]);
    world.documents.set(wellKnown, { ...part, resource: world.origin });
    expect((await atHost(world.serverUrl)).status).toBe(200);
    const asked = new URL(world.to('/authorize')[0]!.url);
    expect(asked.searchParams.get('resource')).toBe(world.origin);
  });

  it('the listener turns away answers to other sign-ins and waits on', async () => {
    const listener = await openRedirectListener({});
    onTestFinished(() => listener.close());
    const answer = listener.wait('mine');
    const forged = await fetch(`${listener.redirectUri}?code=stolen&state=guessed`);
    expect(forged.status).toBe(400);
    expect((await fetch(`${listener.redirectUri}/other?code=a&state=mine`)).status).toBe(400);
    expect((await fetch(`${listener.redirectUri}?code=honest&state=mine`)).status).toBe(200);
    expect((await answer).get('code')).toBe('honest');
  });
});

it('no message repeats a token, a code or a verifier [A12]', async () => {
  const world = await startContextWorld();
  const secrets = ['secret-token-1', 'secret-code-2'];
  world.overrides.set('/token', (context) =>
    context.json({ access_token: secrets[0], token_type: 'mac', code: secrets[1] }),
  );
  const failure = await (await open(world))(world.serverUrl).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Error);
  for (const secret of secrets) expect(inspect(failure, { depth: 9 })).not.toContain(secret);
});
