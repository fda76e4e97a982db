import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ForwardingHeader } from '../../src/kernel/edge/caller.ts';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import { limitRate } from '../../src/kernel/edge/limit-rate.ts';
import type { EdgeEnv } from '../../src/kernel/edge/mount.ts';
import type { Connection } from '../../src/kernel/edge/request.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';

const local: Connection = { remoteAddress: '127.0.0.1', encrypted: false };
const stranger: Connection = { remoteAddress: '203.0.113.9', encrypted: false };
const proxy: Connection = { remoteAddress: '10.0.0.1', encrypted: false };

type Call = { path?: string; method?: string; headers?: Record<string, string>; from?: Connection };

function setUp(publicUrl: string, forwardingHeader: ForwardingHeader = 'x-forwarded-for') {
  const taken = new Map<string, number>();
  const limiter = {
    take: async (key: string) => {
      const count = (taken.get(key) ?? 0) + 1;
      taken.set(key, count);
      const isAllowed = count <= 3;
      return { isAllowed, limit: 3, remaining: 3 - count, retryAfterSeconds: 20, resetSeconds: 60 };
    },
  };
  const app = new Hono<EdgeEnv>();
  app.all('/mcp', (c) => c.text('reached'));
  app.all('/authorize', (c) => c.text('reached'));
  app.use('/limited', limitRate({ limiter, policy: 'test', windowSeconds: 60 }));
  app.get('/limited', (c) => c.text('reached'));
  const edge = createEdge({
    publicUrl: new URL(publicUrl),
    trustedProxies: parseNetworks(['10.0.0.0/8']),
    forwardingHeader,
    mounts: [
      {
        app,
        paths: {
          '/mcp': { origins: 'own' },
          '/authorize': { origins: 'own-or-null' },
          '/limited': { origins: 'any' },
        },
      },
    ],
    logger: { debug: () => {}, info: () => {}, error: () => {} },
    clock: systemClock,
    random: systemRandom,
  });
  return async ({ path = '/mcp', method = 'GET', headers = {}, from = local }: Call) => {
    const request = new Request(new URL(path, publicUrl), { method, headers });
    const response = await edge.fetch(request, { connection: from });
    const { error } =
      response.status < 400 ? {} : ((await response.json()) as { error: { code: string } });
    return error?.code ?? response.status;
  };
}

const callLocal = setUp('http://localhost:8787');
const callPublic = setUp('https://tradewind.example');

test.each([
  'evil.example',
  'evil.example:8787',
  'localhost.evil.example',
  'localhost.evil.example:8787',
  'evil-localhost',
  'localhost.',
  'localhost.:8787',
  '127.0.0.1.evil.example',
  '0x7f.0.0.1',
  '2130706433',
  '127.1',
  '0.0.0.0:8787',
  '[::ffff:7f00:1].evil.example',
  '[::]',
  '::1',
  'localhost,evil.example',
  'evil.example localhost',
  'user@localhost',
  '169.254.169.254',
  '',
])('refuses the rebound host "%s" on loopback [H35]', async (host) => {
  expect(await callLocal({ headers: { Host: host } })).toBe('FORBIDDEN_HOST');
});

test.each([
  'localhost',
  'localhost:8787',
  'LOCALHOST:8787',
  '127.0.0.1:8787',
  '[::1]:8787',
  '127.0.0.2',
])('answers for the loopback host %s on loopback [H35]', async (host) => {
  expect(await callLocal({ headers: { Host: host } })).toBe(200);
});

test('answers for the loopback names on loopback connections alone [H35]', async () => {
  const headers = { Host: '127.0.0.1:8787' };
  expect(await callPublic({ headers, from: local })).toBe(200);
  expect(await callPublic({ headers, from: { ...stranger, encrypted: true } })).toBe(
    'FORBIDDEN_HOST',
  );
});

test('refuses an absolute request target of another host behind an honest Host header [H35]', async () => {
  const edge = setUp('http://localhost:8787');
  expect(await edge({ path: 'http://evil.example/mcp', headers: { Host: 'localhost:8787' } })).toBe(
    'FORBIDDEN_HOST',
  );
});

test('believes a forwarded host from a declared proxy alone [H35, H39]', async () => {
  const headers = { Host: 'upstream.internal', 'X-Forwarded-Host': 'tradewind.example' };
  expect(await callPublic({ headers, from: proxy })).toBe(200);
  expect(await callPublic({ headers, from: { ...stranger, encrypted: true } })).toBe(
    'FORBIDDEN_HOST',
  );
  expect(await callPublic({ headers, from: local })).toBe('FORBIDDEN_HOST');
});

test('refuses a foreign forwarded host, and one the caller put before the one of the proxy [H35, H39]', async () => {
  const forwarded = (value: string) => ({ Host: 'upstream.internal', 'X-Forwarded-Host': value });
  expect(await callPublic({ headers: forwarded('evil.example'), from: proxy })).toBe(
    'FORBIDDEN_HOST',
  );
  const both = forwarded('tradewind.example, evil.example');
  expect(await callPublic({ headers: both, from: proxy })).toBe('FORBIDDEN_HOST');
});

test.each([
  'https://evil.example',
  'http://evil.example:8787',
  'http://localhost.evil.example:8787',
  'http://localhost:8787.evil.example',
  'http://localhost:9999',
  'https://localhost:8787',
  'http://127.0.0.1:8787',
  'http://LOCALHOST:8787',
  'http://localhost:8787/',
  'http://localhost:8787, https://evil.example',
  'file://',
  'chrome-extension://abcdef',
  'null',
  '',
])('refuses pages of the origin "%s" on a closed path, with every method [H36]', async (Origin) => {
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    expect(await callLocal({ method, headers: { Origin } })).toBe('FORBIDDEN_ORIGIN');
  }
});

test('answers its own pages and callers that are not browsers [H36]', async () => {
  expect(await callLocal({ method: 'POST' })).toBe(200);
  expect(await callLocal({ method: 'POST', headers: { Origin: 'http://localhost:8787' } })).toBe(
    200,
  );
  const origin = { Origin: 'https://tradewind.example' };
  expect(await callPublic({ method: 'POST', headers: origin, from: proxy })).toBe(200);
});

test('accepts 127.0.0.1 for localhost if the host and the origin agree [H36]', async () => {
  const path = 'http://127.0.0.1:8787/mcp';
  expect(await callLocal({ path, headers: { Origin: 'http://127.0.0.1:8787' } })).toBe(200);
  expect(await callLocal({ path, headers: { Origin: 'http://127.0.0.1:9999' } })).toBe(
    'FORBIDDEN_ORIGIN',
  );
});

test('a plain page of our public name is not an origin of ours [H36]', async () => {
  const headers = { Origin: 'http://tradewind.example' };
  expect(await callPublic({ headers, from: proxy })).toBe('FORBIDDEN_ORIGIN');
});

test('forms accept the null origin that browsers send under no-referrer, and no foreign one [H36]', async () => {
  const post = (Origin: string) =>
    callLocal({ path: '/authorize', method: 'POST', headers: { Origin } });
  expect(await post('null')).toBe(200);
  expect(await post('http://localhost:8787')).toBe(200);
  expect(await post('https://evil.example')).toBe('FORBIDDEN_ORIGIN');
});

test('a public server refuses plain HTTP that bypasses its proxy [S13]', async () => {
  expect(await callPublic({ from: stranger })).toBe('TLS_REQUIRED');
  expect(await callPublic({ from: { encrypted: false } })).toBe('TLS_REQUIRED');
  expect(await callPublic({ from: { ...stranger, encrypted: true } })).toBe(200);
  expect(await callPublic({ from: proxy })).toBe(200);
  expect(await callPublic({ from: local })).toBe(200);
});

test('a forwarded protocol is trusted from the proxy alone, also when it says plain HTTP [S13]', async () => {
  const https = { 'X-Forwarded-Proto': 'https' };
  expect(await callPublic({ from: stranger, headers: https })).toBe('TLS_REQUIRED');
  expect(await callPublic({ from: proxy, headers: https })).toBe(200);
  expect(await callPublic({ from: proxy, headers: { 'X-Forwarded-Proto': 'http' } })).toBe(
    'TLS_REQUIRED',
  );
  const forged = { 'X-Forwarded-Proto': 'https, http' };
  expect(await callPublic({ from: proxy, headers: forged })).toBe('TLS_REQUIRED');
});

test('scheme and host are read from the header that the proxy writes, like the caller [F64]', async () => {
  const call = setUp('https://tradewind.example', 'forwarded');
  const ask = (headers: Record<string, string>) => call({ from: proxy, headers });
  expect(await ask({ Forwarded: 'for=203.0.113.9;proto=http' })).toBe('TLS_REQUIRED');
  expect(await ask({ Forwarded: 'proto=https, for=203.0.113.9; Proto="http"' })).toBe(
    'TLS_REQUIRED',
  );
  expect(await ask({ Forwarded: 'proto=http, for=203.0.113.9;proto=https' })).toBe(200);
  expect(await ask({ Forwarded: 'for=203.0.113.9' })).toBe(200);
  const upstream = { Host: 'upstream.internal' };
  expect(await ask({ ...upstream, Forwarded: 'host=tradewind.example' })).toBe(200);
  expect(await ask({ ...upstream, Forwarded: 'host="evil.example"' })).toBe('FORBIDDEN_HOST');
  expect(await ask({ ...upstream, 'X-Forwarded-Host': 'tradewind.example' })).toBe(
    'FORBIDDEN_HOST',
  );
});

test.each(['ws', 'httpsx', 'http:', 'ftp'])(
  'a forwarded protocol "%s" is no TLS [F64]',
  async (proto) => {
    expect(await callPublic({ from: proxy, headers: { 'X-Forwarded-Proto': proto } })).toBe(
      'TLS_REQUIRED',
    );
  },
);

test('a forwarded protocol of a caller on this machine is ignored', async () => {
  expect(await callPublic({ from: local, headers: { 'X-Forwarded-Proto': 'http' } })).toBe(200);
});

test('one connection of a proxy carries many callers, and each has a bucket [H39]', async () => {
  const call = setUp('http://localhost:8787');
  const answers: unknown[] = [];
  for (const caller of ['203.0.113.1', '203.0.113.2', '203.0.113.1', '203.0.113.2']) {
    const headers = { 'X-Forwarded-For': caller };
    for (let count = 0; count < 2; count += 1) {
      answers.push(await call({ path: '/limited', from: proxy, headers }));
    }
  }
  expect(answers).toEqual([200, 200, 200, 200, 200, 'RATE_LIMITED', 200, 'RATE_LIMITED']);
});

test('rotating through an IPv6 /64 does not refill the bucket [H38, A6]', async () => {
  const call = setUp('http://localhost:8787');
  const answers: unknown[] = [];
  for (let host = 1; host <= 5; host += 1) {
    const remoteAddress = `2001:db8:1:2:${host}::${host}`;
    answers.push(await call({ path: '/limited', from: { remoteAddress, encrypted: false } }));
  }
  expect(answers).toEqual([200, 200, 200, 'RATE_LIMITED', 'RATE_LIMITED']);
});

test('other spellings of one address do not refill the bucket [H38, A6]', async () => {
  const call = setUp('http://localhost:8787');
  const spellings = ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:CB00:7109', '203.0.113.9:80'];
  const answers: unknown[] = [];
  for (const spelling of spellings) {
    answers.push(
      await call({ path: '/limited', from: proxy, headers: { 'X-Forwarded-For': spelling } }),
    );
  }
  expect(answers).toEqual([200, 200, 200, 'RATE_LIMITED']);
});

test('forwarded addresses a stranger invents do not refill the bucket [H39]', async () => {
  const call = setUp('http://localhost:8787');
  const answers: unknown[] = [];
  for (const invented of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']) {
    const headers = { 'X-Forwarded-For': invented, Forwarded: `for=${invented}` };
    answers.push(await call({ path: '/limited', from: stranger, headers }));
  }
  expect(answers).toEqual([200, 200, 200, 'RATE_LIMITED']);
});

test('addresses invented before that of the proxy do not refill the bucket [H39]', async () => {
  const call = setUp('http://localhost:8787');
  const answers: unknown[] = [];
  for (const invented of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']) {
    const headers = { 'X-Forwarded-For': `${invented}, 203.0.113.9` };
    answers.push(await call({ path: '/limited', from: proxy, headers }));
  }
  expect(answers).toEqual([200, 200, 200, 'RATE_LIMITED']);
});
