import { request as ask } from 'node:http';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { EdgeError } from '../../src/kernel/edge/edge-error.ts';
import type { EdgeEnv, Endpoint } from '../../src/kernel/edge/mount.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { type Asked, createBothWays } from '../support/create-both-ways.ts';

/**
 * An endpoint is served in two ways: directly from the server's objects, and through the app. Both must
 * answer, log and count the same, so every case here runs on both.
 */
const endpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/shop/hours',
    answer: ({ request, caller }) =>
      json({ url: request.address.href, tag: request.header('x-tag'), caller: caller.key }),
  },
  { method: 'GET', path: '/shop/shelves/*', answer: () => json({ text: 'Käse – 7 €' }) },
  { method: 'POST', path: '/shop/orders', answer: ({ body }) => json({ body }, 201) },
  { method: 'POST', path: '/shop/private', answer: async () => json({}) },
  { method: 'POST', path: '/shop/empty', answer: () => ({ status: 200, headers: {}, body: '' }) },
  {
    method: 'POST',
    path: '/shop/closed',
    answer: () => {
      throw new EdgeError('RATE_LIMITED', 'Come later.', { headers: { 'Retry-After': '7' } });
    },
  },
  {
    method: 'GET',
    path: '/shop/garbled',
    answer: () => ({ status: 200, headers: { 'X-Note': 'one\ntwo' }, body: '' }),
  },
  {
    method: 'GET',
    path: '/shop/broken',
    answer: () => {
      throw new Error('password=hunter2');
    },
  },
  {
    method: 'GET',
    path: '/shop/broken/at-once',
    answer: () => {
      throw new Error('password=hunter2');
    },
  },
];

const origins = 'any';
const { answerTo, exchange, open } = createBothWays(() => [
  {
    app: new Hono<EdgeEnv>(),
    endpoints,
    paths: { '/shop/private': {}, '/shop/*': { origins, bodyLimit: 100 } },
  },
]);

const cases: Record<string, Asked> = {
  'a plain request': { path: '/shop/hours' },
  'a path below a pattern': { path: '/shop/shelves/cheese' },
  'the path that a pattern begins with': { path: '/shop/shelves' },
  'a query string': { path: '/shop/hours?access_token=s3cret' },
  'the method HEAD': { method: 'HEAD', path: '/shop/hours' },
  'a method that is not there': { method: 'DELETE', path: '/shop/orders' },
  'a path that is not there': { path: '/shop/nowhere' },
  'a body in UTF-8': { method: 'POST', path: '/shop/orders', body: 'één=twee' },
  'a body that begins with a byte order mark': {
    method: 'POST',
    path: '/shop/orders',
    body: '\ufeffa=1',
  },
  'an empty body': { method: 'POST', path: '/shop/orders', body: '' },
  'a body of undeclared length': {
    method: 'POST',
    path: '/shop/orders',
    body: 'a=1',
    headers: { 'Transfer-Encoding': 'chunked' },
  },
  'a body above the limit': { method: 'POST', path: '/shop/orders', body: 'x'.repeat(101) },
  'a body of undeclared length above the limit': {
    method: 'POST',
    path: '/shop/orders',
    body: 'x'.repeat(101),
    headers: { 'Transfer-Encoding': 'chunked' },
  },
  'an answer without a body': { method: 'POST', path: '/shop/empty', body: 'a=1' },
  'a request id of the caller': { path: '/shop/hours', headers: { 'X-Request-Id': 'trace-7' } },
  'a request id that is not sane': { path: '/shop/hours', headers: { 'X-Request-Id': 'a b' } },
  'a header that comes twice': { path: '/shop/hours', headers: { 'X-Tag': ['one', 'two'] } },
  'another host': { path: '/shop/hours', headers: { Host: 'evil.example' } },
  'the host of the public URL': { path: '/shop/hours', headers: { Host: 'localhost:8787' } },
  'a page of another origin where any may call': {
    path: '/shop/hours',
    headers: { Origin: 'https://evil.example' },
  },
  'a page of another origin where only our own may': {
    method: 'POST',
    path: '/shop/private',
    headers: { Origin: 'https://evil.example' },
    body: '',
  },
  'a page of an origin that is allowed by name': {
    method: 'POST',
    path: '/shop/private',
    headers: { Origin: 'https://friend.example' },
    body: '',
  },
  'a preflight': {
    method: 'OPTIONS',
    path: '/shop/orders',
    headers: {
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    },
  },
  'a refusal with headers of its own': { method: 'POST', path: '/shop/closed', body: 'a=1' },
  'an unexpected error': { path: '/shop/broken' },
  'an unexpected error before any wait': { path: '/shop/broken/at-once' },
  'an address that no proxy may name': {
    path: '/shop/hours',
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  },
};

describe('both ways to an endpoint answer alike', () => {
  test.each(Object.entries(cases))('%s', async (_, asked) => {
    const direct = await answerTo(asked, { isDirect: true });
    expect(direct).toEqual(await answerTo(asked, { isDirect: false }));
  });

  test('a caller behind a declared proxy [H39]', async () => {
    const asked = { path: '/shop/hours', headers: { 'X-Forwarded-For': '203.0.113.9' } };
    const options = { trustedProxies: parseNetworks(['loopback']) };
    const direct = await answerTo(asked, { isDirect: true, options });
    expect(direct.body).toContain('203.0.113.9');
    expect(direct).toEqual(await answerTo(asked, { isDirect: false, options }));
  });

  test('a proxy that was called without TLS [S13]', async () => {
    const asked = { path: '/shop/hours', headers: { 'X-Forwarded-Proto': 'http' } };
    const options = {
      publicUrl: new URL('https://shop.example'),
      trustedProxies: parseNetworks(['loopback']),
    };
    const direct = await answerTo(asked, { isDirect: true, options });
    expect(direct.status).toBe(403);
    expect(direct).toEqual(await answerTo(asked, { isDirect: false, options }));
  });
});

test('neither way answers a request target with credentials [H35]', async () => {
  const path = 'http://user:pass@localhost:8787/shop/hours';
  const direct = await answerTo({ path }, { isDirect: true });
  expect(direct).toMatchObject({ status: 403, lines: [{ level: 'info' }] });
  expect(direct).toEqual(await answerTo({ path }, { isDirect: false }));
});

test.each(['localhost:65536', 'localhost:'])(
  'neither way answers for the host %s, which no address has [H34]',
  async (host) => {
    for (const isDirect of [true, false]) {
      const { url } = await open({ isDirect });
      const answer = await exchange(url, { path: '/shop/hours', headers: { Host: host } });
      expect(answer.status).toBe(400);
      expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    }
  },
);

test('an answer that cannot be written gives 500 and is logged as an unexpected error', async () => {
  const { status, lines } = await answerTo({ path: '/shop/garbled' }, { isDirect: true });
  expect(status).toBe(500);
  expect(lines).toMatchObject([{ message: 'unexpected error' }, { message: 'request' }]);
});

test('a caller who hangs up within a body is no error of ours', async () => {
  const { url, lines, whenLogged } = await open({ isDirect: true });
  const headers = { 'Content-Length': '10' };
  const request = ask(`${url}/shop/orders`, { method: 'POST', headers });
  request.on('error', () => {});
  request.write('half', () => request.destroy());
  await whenLogged;
  const requests = lines.filter(({ level }) => level !== 'debug');
  expect(requests).toMatchObject([{ level: 'info', fields: { status: 400 } }]);
});

function json(value: object, status = 200) {
  const headers = { 'Content-Type': 'application/json', Vary: 'X-Tag' };
  return { status, headers, body: JSON.stringify(value) };
}
