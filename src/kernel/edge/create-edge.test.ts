import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createEdge } from './create-edge.ts';
import { edgeErrorStatus } from './edge-error.ts';
import type { GateOptions } from './gate/create-gate.ts';
import type { RequestObservation } from './gate/log-access.ts';
import { limitRate } from './limit-rate.ts';
import type { EdgeEnv, Mount } from './mount.ts';

type Line = { level: string; message: string; fields: object };

function setUp(mounts: Mount[], options: Partial<GateOptions> = {}) {
  const lines: Line[] = [];
  const observations: RequestObservation[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, fields });
  let now = Date.UTC(2030, 0, 1);
  const edge = createEdge({
    publicUrl: new URL('http://localhost:8787'),
    trustedProxies: [],
    mounts,
    logger: { debug: write('debug'), info: write('info'), error: write('error') },
    clock: { now: () => now++, elapsed: () => 0, sleep: async () => {}, turn: async () => {} },
    random: { bytes: (length) => new Uint8Array(length).fill(0xab), fraction: () => 0 },
    observeRequest: (observation) => void observations.push(observation),
    ...options,
  });
  return { edge, lines, observations };
}

function shop(): Mount {
  const app = new Hono<EdgeEnv>();
  app.get('/shop/items/:id', (c) => c.json({ id: c.req.param('id') }));
  app.get('/shop/plain', () => new Response('plain'));
  app.post('/shop/items', async (c) => c.json({ bytes: (await c.req.arrayBuffer()).byteLength }));
  app.get('/shop/broken', () => {
    throw new Error('password=hunter2', { cause: new Error('the till is locked') });
  });
  return { app, paths: { '/shop/*': {} } };
}

test('a response carries the request id of its request if that is valid, or else a random one [H30]', async () => {
  const { edge } = setUp([shop()]);
  const idFor = async (path: string, offered?: string) => {
    const headers: Record<string, string> =
      offered === undefined ? {} : { 'X-Request-Id': offered };
    return (await edge.request(path, { headers })).headers.get('X-Request-Id');
  };
  expect(await idFor('/shop/items/1', 'trace-7f.1')).toBe('trace-7f.1');
  for (const path of ['/shop/items/1', '/shop/plain', '/shop/broken', '/nowhere']) {
    expect(await idFor(path)).toMatch(/^(?:ab){8}-\d+$/);
  }
  expect(await idFor('/shop/plain')).not.toBe(await idFor('/shop/plain'));
  expect(await idFor('/shop/plain', 'x'.repeat(64))).toBe('x'.repeat(64));
  for (const offered of ['', 'a b', 'a=b', 'é', 'x'.repeat(65)]) {
    expect(await idFor('/shop/plain', offered)).toMatch(/^(?:ab){8}-\d+$/);
  }
});

test('the access log names the path without its query string, and no header [H31]', async () => {
  const { edge, lines } = setUp([shop()]);
  await edge.request(
    '/shop/items/1?access_token=s3cret',
    { headers: { Authorization: 'Bearer s3cret' } },
    { connection: { remoteAddress: '127.0.0.1', encrypted: false } },
  );
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'request',
      fields: {
        method: 'GET',
        path: '/shop/items/1',
        status: 200,
        durationMs: 1,
        requestId: expect.stringMatching(/^(?:ab){8}-\d+$/),
        caller: '127.0.0.1',
      },
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('s3cret');
});

test('a metric is named by the pattern of its route, so paths cannot multiply the series [H9]', async () => {
  const { edge, observations } = setUp([shop()]);
  await edge.request('/shop/items/1');
  await edge.request('/nowhere/at/all');
  await edge.request('/shop/items/1', { headers: { Host: 'evil.example' } });
  expect(observations.map(({ route, status }) => ({ route, status }))).toEqual([
    { route: '/shop/items/:id', status: 200 },
    { route: '/*', status: 404 },
    { route: '/*', status: 403 },
  ]);
});

test('a path nobody owns is refused in the envelope of the quote interface', async () => {
  const { edge } = setUp([shop()]);
  const response = await edge.request('/nowhere');
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    success: false,
    error: { code: 'NOT_FOUND', message: 'Nothing is served at /nowhere.' },
    timestamp: expect.stringMatching(/^2030-01-01T00:00:00\.00\dZ$/),
  });
});

test('a refusal on a path is written by the service that owns it', async () => {
  const writeRefusal: Mount['writeRefusal'] = ({ code }) =>
    Response.json({ error: code.toLowerCase() }, { status: edgeErrorStatus[code] });
  const { edge } = setUp([{ ...shop(), writeRefusal }]);
  const missing = await edge.request('/shop/missing');
  expect([missing.status, await missing.json()]).toEqual([404, { error: 'not_found' }]);
  const rebound = await edge.request('/shop/items/1', { headers: { Host: 'evil.example' } });
  expect([rebound.status, await rebound.json()]).toEqual([403, { error: 'forbidden_host' }]);
});

test('a known path with another method is 405 and names the methods it has', async () => {
  const { edge } = setUp([shop()]);
  const response = await edge.request('/shop/items/1', { method: 'DELETE' });
  expect(response.status).toBe(405);
  expect(response.headers.get('Allow')).toBe('GET, HEAD');
  expect(await response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
});

const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('a person who mistypes an address sees a page with a link home, whichever service owns the path [H58]', async () => {
  const writeRefusal: Mount['writeRefusal'] = () => Response.json({});
  const { edge } = setUp([{ ...shop(), writeRefusal }]);
  for (const [path, method, status] of [
    ['/<b>nowhere</b>', 'GET', 404],
    ['/shop/nowhere', 'GET', 404],
    ['/shop/items', 'GET', 405],
    ['/shop/plain', 'POST', 405],
  ] as const) {
    const response = await edge.request(path, { method, headers: browser });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Security-Policy')).toContain("style-src 'sha256-");
    expect(response.headers.get('Allow') !== null).toBe(status === 405);
    const page = await response.text();
    expect(page).toContain('<a href="/">');
    expect(page).not.toContain('<b>');
  }
});

test('caches keep the page of a mistyped address apart from the answer of programs [H58]', async () => {
  const { edge } = setUp([shop()]);
  for (const headers of [
    browser,
    {},
    { Accept: '*/*' },
    { Accept: 'application/json, text/html' },
  ]) {
    const response = await edge.request('/nowhere', { headers });
    expect(response.headers.get('Vary')).toBe('Accept');
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html');
    expect(isPage).toBe(headers === browser);
  }
  expect((await edge.request('/shop/plain', { headers: browser })).headers.has('Vary')).toBe(false);
});

test('a service writes other refusals itself, for browsers too', async () => {
  const { edge } = setUp([shop()]);
  const headers = { ...browser, Host: 'evil.example' };
  const response = await edge.request('/shop/plain', { headers });
  expect(await response.json()).toMatchObject({ error: { code: 'FORBIDDEN_HOST' } });
});

test('an unexpected error is logged once and its text is in no response [H14, H30]', async () => {
  const writeRefusal: Mount['writeRefusal'] = ({ code, message }) =>
    Response.json({ shop: code, says: message }, { status: edgeErrorStatus[code] });
  const { edge, lines } = setUp([{ ...shop(), writeRefusal }]);
  const response = await edge.request('/shop/broken', { headers: { 'X-Request-Id': 'trace-1' } });
  expect(response.status).toBe(500);
  const answer = await response.text();
  expect(JSON.parse(answer)).toMatchObject({ shop: 'INTERNAL_ERROR' });
  expect(answer).not.toMatch(/hunter2|till/);
  const errors = lines.filter(({ level }) => level === 'error');
  const err = { message: 'password=hunter2', cause: { message: 'the till is locked' } };
  expect(errors).toMatchObject([{ fields: { err, requestId: 'trace-1' } }]);
  expect(lines.every(({ fields }) => 'requestId' in fields)).toBe(true);
});

test('a handler that fails because its caller hung up logs no error', async () => {
  const { edge, lines } = setUp([shop()]);
  const response = await edge.request('/shop/broken', { signal: AbortSignal.abort() });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'REQUEST_ABORTED' } });
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a service answers its own errors and rethrows the rest to the edge', async () => {
  class ShopError extends Error {}
  const app = new Hono<EdgeEnv>();
  app.get('/shop/:what', (c) => {
    if (c.req.param('what') === 'closed') throw new ShopError('closed');
    throw new Error('bug');
  });
  app.onError((error, c) => {
    if (error instanceof ShopError) return c.json({ shop: error.message }, 409);
    throw error;
  });
  const { edge } = setUp([{ app, paths: { '/shop/*': {} } }]);
  expect(await (await edge.request('/shop/closed')).json()).toEqual({ shop: 'closed' });
  expect((await edge.request('/shop/other')).status).toBe(500);
});

test('an app with a handler outside the paths it owns is not mounted', () => {
  const app = new Hono<EdgeEnv>();
  app.use(async (_c, next) => next());
  expect(() => setUp([{ app, paths: { '/shop/*': {} } }])).toThrow('serves /*, which is not among');
  expect(() => setUp([shop(), { ...shop(), paths: { '/stall/*': {} } }])).toThrow('go unguarded');
});

test('every answer carries the security headers, refusals too [H34]', async () => {
  const { edge } = setUp([shop()]);
  for (const path of ['/shop/plain', '/nowhere']) {
    const { headers } = await edge.request(path);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    expect(headers.has('Strict-Transport-Security')).toBe(false);
  }
});

test('a page keeps the content policy it brings [H34]', async () => {
  const app = new Hono<EdgeEnv>();
  const policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'";
  app.get('/page', (c) => c.html('<p>', 200, { 'Content-Security-Policy': policy }));
  const { edge } = setUp([{ app, paths: { '/page': {} } }]);
  const { headers } = await edge.request('/page');
  expect(headers.get('Content-Security-Policy')).toBe(policy);
});

test('browsers are bound to HTTPS only where the public URL is HTTPS [H34]', async () => {
  const { edge } = setUp([shop()], { publicUrl: new URL('https://tradewind.example') });
  const { headers } = await edge.request('https://tradewind.example/shop/plain');
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
});

test('pages of any origin may read a path that is open to them, and no other [H33]', async () => {
  const paths = { '/shop/items/*': { origins: 'any' }, '/shop/*': {} } as const;
  const { edge } = setUp([{ ...shop(), paths }]);
  const headers = { Origin: 'https://wallet.example' };
  const open = await edge.request('/shop/items/1', { headers });
  expect(open.status).toBe(200);
  expect(open.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(open.headers.has('Access-Control-Allow-Credentials')).toBe(false);
  expect(open.headers.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate');
  const closed = await edge.request('/shop/plain', { headers });
  expect(closed.status).toBe(403);
  const own = await edge.request('/shop/plain', { headers: { Origin: 'http://localhost:8787' } });
  expect(own.status).toBe(200);
  for (const { headers } of [closed, own]) {
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('a preflight is answered for an open path and refused for a closed one [H33]', async () => {
  const paths = { '/shop/items/*': { origins: 'any' }, '/shop/*': {} } as const;
  const { edge } = setUp([{ ...shop(), paths }]);
  const headers = {
    Origin: 'https://wallet.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,dpop',
  };
  const open = await edge.request('/shop/items', { method: 'OPTIONS', headers });
  expect(open.status).toBe(204);
  expect(open.headers.get('Access-Control-Allow-Headers')).toBe('authorization,dpop');
  expect(open.headers.get('Access-Control-Allow-Methods')).toContain('POST');
  const closed = await edge.request('/shop/plain', { method: 'OPTIONS', headers });
  expect(closed.status).toBe(403);
});

test('pages of an origin allowed by name may call a closed path and read the answer', async () => {
  const allowedOrigins = ['https://agent.example'];
  const { edge } = setUp([shop()], { allowedOrigins });
  const response = await edge.request('/shop/plain', {
    headers: { Origin: 'https://agent.example' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://agent.example');
  expect(response.headers.get('Vary')).toBe('Origin');
  const own = await edge.request('/shop/plain', { headers: { Origin: 'http://localhost:8787' } });
  expect(own.status).toBe(200);
  expect(own.headers.has('Access-Control-Allow-Origin')).toBe(false);
});

test('a body within the limit arrives whole, with and without a declared length [H32]', async () => {
  const { edge } = setUp([shop()]);
  for (const headers of [{}, { 'Content-Length': '65536' }]) {
    const body = 'x'.repeat(65_536);
    const response = await edge.request('/shop/items', { method: 'POST', headers, body });
    expect(await response.json()).toEqual({ bytes: 65_536 });
  }
});

test('a body above the limit is refused, whether its length is declared or counted [H32]', async () => {
  const { edge } = setUp([shop()]);
  for (const headers of [{}, { 'Content-Length': '65537' }, { 'Transfer-Encoding': 'chunked' }]) {
    const body = 'x'.repeat(65_537);
    const response = await edge.request('/shop/items', { method: 'POST', headers, body });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      error: { code: 'PAYLOAD_TOO_LARGE', details: { maxBytes: 65_536 } },
    });
  }
});

test('a path may take larger or smaller bodies than the others [H32]', async () => {
  const { edge } = setUp([{ ...shop(), paths: { '/shop/*': { bodyLimit: 3 } } }]);
  const post = (body: string) => edge.request('/shop/items', { method: 'POST', body });
  expect((await post('123')).status).toBe(200);
  expect((await post('1234')).status).toBe(413);
});

test('a caller whose bucket is empty is told when to come back [H37]', async () => {
  const takenFrom: string[] = [];
  const limiter = {
    take: async (key: string) => {
      takenFrom.push(key);
      const isAllowed = takenFrom.length === 1;
      return {
        isAllowed,
        limit: 600,
        remaining: isAllowed ? 599.5 : 0,
        retryAfterSeconds: isAllowed ? 0 : 1.2,
        resetSeconds: 60,
      };
    },
  };
  const { app, paths } = shop();
  const limited = new Hono<EdgeEnv>();
  limited.use('/shop/*', limitRate({ limiter, policy: 'quotes', windowSeconds: 60 }));
  limited.route('/', app!);
  const { edge } = setUp([{ app: limited, paths }]);
  const call = () =>
    edge.request(
      '/shop/plain',
      {},
      { connection: { remoteAddress: '2001:db8::1', encrypted: false } },
    );
  const first = await call();
  expect(first.status).toBe(200);
  expect(first.headers.get('RateLimit')).toBe('"quotes";r=599');
  expect(first.headers.get('RateLimit-Policy')).toBe('"quotes";q=600;w=60');
  const second = await call();
  expect(second.status).toBe(429);
  expect(second.headers.get('Retry-After')).toBe('2');
  expect(second.headers.get('RateLimit')).toBe('"quotes";r=0;t=2');
  expect(takenFrom).toEqual(['2001:db8::/64', '2001:db8::/64']);
});
