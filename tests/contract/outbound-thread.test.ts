import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createOutboundThread } from '../../src/events/delivery/create-outbound-thread.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { OutboundError } from '../../src/kernel/outbound/guard-addresses.ts';
import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { serveHttp } from '../support/serve-http.ts';

/** The client, and the threads that it starts. */
function open({
  clock = systemClock,
  ...limits
}: {
  clock?: Clock;
  maxResponseBytes?: number;
} = {}) {
  const started: Worker[] = [];
  const note = (worker: Worker) => started.push(worker);
  process.on('worker', note);
  const allowNetworks = parseNetworks(['loopback']);
  const refusals: object[] = [];
  const logger = { warn: (facts: object) => refusals.push(facts) };
  const http = createOutboundThread({ allowNetworks, clock, limits, logger });
  onTestFinished(async () => {
    process.off('worker', note);
    await http.close();
  });
  return { http, started, refusals };
}

test('sends a request as given and returns the full response', async () => {
  const url = await serveHttp(async (request, response) => {
    const body = await new Response(request).text();
    response.writeHead(202, { 'x-said': `${request.method} ${request.headers['x-say']}` });
    response.end(`heard ${body}`);
  });
  const { http, started } = open();
  expect(started).toHaveLength(0);
  const headers = { 'x-say': 'hello' };
  const all = ['a', 'b', 'c'].map((body) =>
    http.request({ method: 'POST', url: new URL(url), headers, body }),
  );
  const answers = await Promise.all(all);
  expect(answers.map(({ body }) => Buffer.from(body).toString())).toEqual([
    'heard a',
    'heard b',
    'heard c',
  ]);
  expect(answers[0]).toMatchObject({ status: 202, headers: { 'x-said': 'POST hello' } });
  expect(started).toHaveLength(1);
});

test('fails as the client that it replaces, and tells the operator which kind of address was refused [F59]', async () => {
  const url = await serveHttp((request, response) => {
    if (request.url === '/large') response.end('x'.repeat(200));
  });
  const { http, refusals } = open({ maxResponseBytes: 100 });
  const get = (path: string) => http.request({ method: 'GET', url: path });
  await expect(get('http://169.254.169.254/')).rejects.toMatchObject({
    name: 'OutboundError',
    code: 'ADDRESS_REFUSED',
    refusal: { host: '169.254.169.254', kind: 'linkLocal' },
  });
  expect(refusals).toEqual([{ host: '169.254.169.254', kind: 'linkLocal' }]);
  await expect(get('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
  const silent = http.request({ method: 'GET', url: `${url}/silent`, timeoutMs: 200 });
  await expect(silent).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: expect.stringContaining('200 ms'),
  });
  await expect(get(`${url}/large`)).rejects.toMatchObject({
    code: 'RESPONSE_TOO_LARGE',
    details: { maxResponseBytes: 100 },
  });
  const headers = { 'x-broken': 'a\nb' };
  // An invalid request is an error of the caller, not a failure of the network.
  const broken = http.request({ method: 'GET', url, headers });
  await expect(broken).rejects.toMatchObject({ message: expect.stringContaining('x-broken') });
  await expect(broken).rejects.not.toBeInstanceOf(OutboundError);
});

test('ends a request that nobody waits for any more', async () => {
  const { promise: came, resolve: come } = Promise.withResolvers<void>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const url = await serveHttp((request) => {
    request.on('close', leave);
    come();
  });
  const { http } = open();
  const abort = new AbortController();
  const request = http.request({ method: 'GET', url, signal: abort.signal });
  await came;
  abort.abort('enough');
  await expect(request).rejects.toBe('enough');
  await left;
  await expect(http.request({ method: 'GET', url, signal: abort.signal })).rejects.toBe('enough');
});

test('starts another thread when one has ended, and rejects the requests of the old one', async () => {
  const { promise: came, resolve: come } = Promise.withResolvers<void>();
  const url = await serveHttp((request, response) => {
    if (request.url === '/silent') return come();
    response.end();
  });
  const { http, started } = open();
  const left = http.request({ method: 'GET', url: `${url}/silent` });
  const failed = expect(left).rejects.toThrow('The thread of outbound requests ended.');
  await came;
  await started[0]?.terminate();
  await failed;
  expect(await http.request({ method: 'GET', url })).toMatchObject({ status: 200 });
  expect(started).toHaveLength(2);
});

test('ends its thread after a minute without requests, and when it is closed', async () => {
  const { promise: came, resolve: come } = Promise.withResolvers<void>();
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  const url = await serveHttp(async (_, response) => {
    come();
    await isAnswered;
    response.end();
  });
  const clock = createFakeClock();
  const { http, started } = open({ clock });
  const get = async () => (await http.request({ method: 'GET', url })).status;
  const hasEnded = (index: number) => eventually(() => expect(started[index]?.threadId).toBe(-1));
  const first = get();
  await came;
  clock.advance(60_000);
  answer();
  expect(await first).toBe(200);
  clock.advance(59_000);
  expect(await get()).toBe(200);
  clock.advance(59_000);
  expect(await get()).toBe(200);
  expect(started).toHaveLength(1);
  clock.advance(60_000);
  await new Promise((done) => setImmediate(done));
  // The old thread is still ending.
  const again = get();
  await hasEnded(0);
  expect(await again).toBe(200);
  expect(started).toHaveLength(2);
  await http.close();
  await hasEnded(1);
  await expect(get()).rejects.toThrow('after close');
});
