import express from 'express';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import {
  createGuard,
  expressGuard,
  type Guard,
  type GuardedRequest,
  honoGuard,
  nodeGuard,
} from '../../src/authorization/guard/index.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { issuer, openTokenWorld, secret } from '../support/open-token-world.ts';
import { serveHttp } from '../support/serve-http.ts';

const resource = 'https://context.example/mcp';
const introspection = { clientId: 'operated', clientSecret: secret };
const day = 24 * 3_600_000;

async function setUp(options: { introspection?: typeof introspection; resource?: string } = {}) {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock });
  const asked: string[] = [];
  const away = { isAway: false };
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    asked.push(new URL(request.url).pathname);
    if (away.isAway) throw new TypeError('fetch failed');
    return world.fetch(request);
  };
  const guard = createGuard({ issuer, resource, ...options, fetch: send, clock });
  const check = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const { principal, refusal } = await guard.check(new Request(resource, { headers }));
    return principal?.subject ?? refusal?.reason;
  };
  const token = async () => (await world.actForItself({ resource })).access_token;
  return { clock, world, guard, check, token, asked, away };
}

test('a remote guard verifies tokens by the published keys, which it fetches once [R5]', async () => {
  const { check, token, asked } = await setUp();
  expect(await check(await token())).toBe('machine');
  expect(await check(await token())).toBe('machine');
  expect(asked.filter((path) => path === '/jwks')).toHaveLength(1);
});

test('a remote guard refuses tokens for another resource [A4, L2]', async () => {
  const { check, world } = await setUp();
  expect(await check((await world.actForItself()).access_token)).toBe('invalid');
});

test('a slash at the end of its address makes no difference [L2]', async () => {
  const { check, token } = await setUp({ resource: `${resource}/` });
  expect(await check(await token())).toBe('machine');
});

test('a remote guard refuses expired tokens and foreign signatures [S1, A10]', async () => {
  const { check, token, clock } = await setUp();
  const [header, payload] = (await token()).split('.');
  expect(await check(`${header}.${payload}.${'A'.repeat(86)}`)).toBe('invalid');
  const late = await token();
  clock.advance(600_000);
  expect(await check(late)).toBe('expired');
});

test('made-up key ids do not make a remote guard fetch the keys repeatedly [A10]', async () => {
  const { check, token, asked } = await setUp();
  await check(await token());
  const madeUp = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid: 'x' }));
  for (let count = 0; count < 10; count++) {
    expect(await check(`${madeUp.toString('base64url')}.e30.AA`)).toBe('invalid');
  }
  expect(asked.filter((path) => path === '/jwks')).toHaveLength(1);
});

test('a remote guard fetches new keys, and keeps using the known ones while the server is down [S12]', async () => {
  const { check, token, clock, asked, away } = await setUp();
  await check(await token());
  clock.advance(day);
  away.isAway = true;
  expect(await check(await token())).toBe('machine');
  away.isAway = false;
  expect(await check(await token())).toBe('machine');
  expect(asked.filter((path) => path === '/jwks').length).toBeGreaterThan(1);
});

test('a remote guard without any key reports that the server is down', async () => {
  const { check, token, away } = await setUp();
  away.isAway = true;
  await expect(check(await token())).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});

test('a guarded server answers 503 while the authorization server is down, and recovers [T10]', async () => {
  const { guard, token, away } = await setUp();
  const letIn = nodeGuard(guard);
  const url = await serveHttp(async (request, response) => {
    const principal = await letIn(request, response);
    if (principal !== undefined) response.end(principal.subject);
  });
  const headers = { authorization: `Bearer ${await token()}` };
  away.isAway = true;
  const refused = await fetch(`${url}/mcp`, { headers });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
  away.isAway = false;
  expect(await (await fetch(`${url}/mcp`, { headers })).text()).toBe('machine');
});

test('a remote guard with credentials refuses a revoked token within a second [S1]', async () => {
  const { check, token, world, clock, asked } = await setUp({ introspection });
  const revoked = await token();
  expect(await check(revoked)).toBe('machine');
  expect(await check(revoked)).toBe('machine');
  expect(asked.filter((path) => path === '/introspect')).toHaveLength(1);
  const form = { client_id: 'machine', client_secret: secret, token: revoked };
  await world.post('/revoke', form);
  clock.advance(1_000);
  expect(await check(revoked)).toBe('invalid');
});

test('a remote guard with credentials admits nobody while it cannot introspect', async () => {
  const { check, token, away, clock } = await setUp({ introspection });
  const known = await token();
  await check(known);
  clock.advance(1_000);
  away.isAway = true;
  await expect(check(known)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});

test('metadata of another issuer is not believed [A8]', async () => {
  const clock = createFakeClock();
  const guard = createGuard({
    issuer,
    resource,
    clock,
    fetch: async () => Response.json({ issuer: 'https://evil.example', jwks_uri: 'https://e/' }),
  });
  const headers = { authorization: 'Bearer a.b.c' };
  await expect(guard.check(new Request(resource, { headers }))).rejects.toThrow(/another issuer/);
});

describe('the adapter of a remote guard', () => {
  const adapters: Record<string, (guard: Guard) => Promise<string>> = {
    'node:http': (guard) => {
      const judge = nodeGuard(guard, { scope: ['swap.read'] });
      return serveHttp(async (request, response) => {
        const principal = await judge(request, response);
        if (principal !== undefined) response.end(principal.subject);
      });
    },
    Express: (guard) => {
      const app = express();
      app.use('/mcp', expressGuard(guard, { scope: ['swap.read'] }));
      app.all('/mcp', (request: GuardedRequest & express.Request, response) => {
        response.send(request.principal?.subject);
      });
      return serveHttp(app);
    },
  };

  test.each(Object.entries(adapters))('for %s lets in and refuses [S1, S2]', async (_, open) => {
    const { guard, token, world } = await setUp();
    const url = await open(guard);
    const missing = await fetch(`${url}/mcp`);
    expect(missing.status).toBe(401);
    expect(missing.headers.get('www-authenticate')).toMatch(/^Bearer scope="swap.read"/);
    const enter = async (accessToken: string) => {
      const headers = { authorization: `Bearer ${accessToken}` };
      const response = await fetch(`${url}/mcp`, { headers });
      return [response.status, response.ok ? await response.text() : undefined];
    };
    expect(await enter(await token())).toEqual([200, 'machine']);
    const scope = 'subscriptions.read';
    const small = await world.actForItself({ resource, scope });
    expect(await enter(small.access_token)).toEqual([403, undefined]);
  });

  test('for Hono lets in and refuses [S1, S2]', async () => {
    const { guard, token } = await setUp();
    const app = new Hono();
    app.get('/mcp', honoGuard(guard, { scope: ['swap.read'] }), (c) =>
      c.text(c.get('principal').subject),
    );
    expect((await app.request(resource)).status).toBe(401);
    const headers = { authorization: `Bearer ${await token()}` };
    expect(await (await app.request(resource, { headers })).text()).toBe('machine');
  });
});

test('a remote guard refuses a token it has seen once its key was withdrawn, within the key interval [F28, N21]', async () => {
  const withdrawn = { isWithdrawn: false };
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock, accessTokenLifetime: 3_600_000 });
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const isKeys = new URL(request.url).pathname === '/jwks';
    return isKeys && withdrawn.isWithdrawn ? Response.json({ keys: [] }) : world.fetch(request);
  };
  const guard = createGuard({ issuer, resource, fetch: send, clock });
  const { access_token: token } = await world.actForItself({ resource });
  const authorization = `Bearer ${token}`;
  const check = () => guard.check(new Request(resource, { headers: { authorization } }));
  expect((await check()).principal?.subject).toBe('machine');
  withdrawn.isWithdrawn = true;
  clock.advance(599_999);
  expect((await check()).principal?.subject).toBe('machine');
  clock.advance(1);
  expect((await check()).refusal).toMatchObject({
    status: 401,
    message: expect.stringContaining('does not publish'),
  });
});
