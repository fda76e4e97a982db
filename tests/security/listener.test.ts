import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { connect as connectTls } from 'node:tls';
import { queryObjects } from 'node:v8';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import {
  type Listener,
  type ListenerOptions,
  openListener,
} from '../../src/kernel/edge/listener/open-listener.ts';
import type { EdgeEnv } from '../../src/kernel/edge/mount.ts';
import type { Connection } from '../../src/kernel/edge/request.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';
import { eventually } from '../support/eventually.ts';

const certificate = (name: string) =>
  join(import.meta.dirname, '../support/certificates', `${name}.pem`);
const tls = { certPath: certificate('localhost'), keyPath: certificate('localhost-key') };

const opened: Listener[] = [];
afterEach(async () => {
  for (const listener of opened.splice(0)) await listener.close(0);
});

async function open(options: Partial<ListenerOptions> = {}): Promise<Listener> {
  const listener = await openListener({
    fetch: () => new Response('hello'),
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock: systemClock,
    ...options,
  });
  opened.push(listener);
  return listener;
}

/** A clock whose sleeps end when the test says so, or when what waited has given up. */
function handClock(): Clock & { ring: () => void } {
  let alarm = Promise.withResolvers<void>();
  return {
    now: () => 0,
    elapsed: () => 0,
    sleep: (_, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true });
        void alarm.promise.then(resolve);
      }),
    turn: systemClock.turn,
    ring() {
      alarm.resolve();
      alarm = Promise.withResolvers();
    },
  };
}

async function dial(listener: Listener): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const get = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test.each(['0.0.0.0', '::'])(
  'refuses plain HTTP on %s and says the three ways out [H41, S13]',
  async (host) => {
    const refusal = await open({ host }).catch((error) => error);
    expect(refusal.code).toBe('PLAIN_HTTP_REFUSED');
    for (const setting of ['TRADEWIND_HOST', 'TRADEWIND_TLS_CERT', 'TRADEWIND_TRUSTED_PROXY']) {
      expect(refusal.message).toContain(setting);
    }
  },
);

test('serves plain HTTP on every address behind a declared proxy [H41, S13]', async () => {
  const listener = await open({ host: '0.0.0.0', trustedProxies: parseNetworks(['10.0.0.1']) });
  const response = await fetch(`http://127.0.0.1:${listener.port}`);
  expect(await response.text()).toBe('hello');
});

test.each(['127.0.0.1', 'localhost'])('serves plain HTTP on %s', async (host) => {
  const listener = await open({ host });
  expect(listener.url).toBe(`http://${host}:${listener.port}`);
  expect(await (await fetch(listener.url)).text()).toBe('hello');
});

test('serves TLS on every address from a certificate and key [H40, S13]', async () => {
  const listener = await open({ host: '0.0.0.0', tls });
  expect(listener.url).toBe(`https://0.0.0.0:${listener.port}`);
  expect((await peerCertificate(listener)).subject.CN).toBe('localhost');
});

test('refuses TLS below 1.2 [H40]', async () => {
  const listener = await open({ tls });
  const socket = connectTls({
    port: listener.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1.1',
    ciphers: 'ALL@SECLEVEL=0',
  });
  const [error] = await once(socket, 'error');
  expect(error.code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
});

test('serves a renewed certificate after a reload', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tradewind-tls-'));
  const files = { certPath: join(folder, 'cert.pem'), keyPath: join(folder, 'key.pem') };
  await copyFile(tls.certPath, files.certPath);
  await copyFile(tls.keyPath, files.keyPath);
  const listener = await open({ tls: files });
  expect((await peerCertificate(listener)).subject.CN).toBe('localhost');
  await copyFile(certificate('renewed'), files.certPath);
  await expect(listener.reloadTls()).rejects.toMatchObject({ code: 'TLS_FILES_UNUSABLE' });
  expect((await peerCertificate(listener)).subject.CN).toBe('localhost');
  await copyFile(certificate('renewed-key'), files.keyPath);
  await listener.reloadTls();
  expect((await peerCertificate(listener)).subject.CN).toBe('renewed');
  await rm(folder, { recursive: true });
});

test('names the files it cannot use', async () => {
  const files = { certPath: '/nowhere/cert.pem', keyPath: tls.keyPath };
  const refusal = await open({ tls: files }).catch((error) => error);
  expect(refusal.code).toBe('TLS_FILES_UNUSABLE');
  expect(refusal.message).toContain('/nowhere/cert.pem');
});

test('names the port that is taken and the way out', async () => {
  const { port } = await open();
  const refusal = await open({ port }).catch((error) => error);
  expect(refusal.code).toBe('PORT_IN_USE');
  expect(refusal.message).toContain(`Port ${port}`);
  expect(refusal.message).toContain('TRADEWIND_PORT');
});

test('refuses an address of another machine and an unknown host name, by different errors', async () => {
  const proxied = { trustedProxies: parseNetworks(['10.0.0.1']) };
  const foreign = open({ host: '192.0.2.1', ...proxied });
  await expect(foreign).rejects.toMatchObject({ code: 'ADDRESS_UNAVAILABLE' });
  const unknown = open({ host: 'no-such-host.invalid' });
  await expect(unknown).rejects.toMatchObject({ code: 'HOST_UNKNOWN' });
});

test('tells the app who is connected and whether over TLS', async () => {
  const fetchConnection: ListenerOptions['fetch'] = (_request, env) =>
    Response.json(env.connection);
  const plain = await open({ fetch: fetchConnection });
  expect(await (await fetch(plain.url)).json()).toEqual({
    remoteAddress: '127.0.0.1',
    encrypted: false,
  });
  const secure = await open({ fetch: fetchConnection, tls });
  expect(JSON.parse(await getOverTls(secure))).toEqual({
    remoteAddress: '127.0.0.1',
    encrypted: true,
  });
});

test('a drain lets the running request finish and ends its connection with it [H12]', async () => {
  const release = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const clock = handClock();
  const listener = await open({
    clock,
    fetch: async () => {
      arrived.resolve();
      await release.promise;
      return new Response('finished');
    },
  });
  const busy = await dial(listener);
  busy.write(get());
  await arrived.promise;
  const idle = await dial(listener);
  const idleClosed = once(idle, 'close');
  const closed = listener.close(60_000);
  await idleClosed;
  await expect(fetch(listener.url)).rejects.toThrow();
  release.resolve();
  const answer = await text(busy);
  expect(answer).toContain('finished');
  expect(answer).toMatch(/^Connection: close\r$/im);
  await closed;
});

test('a drain answers a request that comes on an open connection, as its last [H12]', async () => {
  const first = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const listener = await open({
    clock: handClock(),
    fetch: async (incoming) => {
      if (new URL(incoming.url).pathname === '/second') return new Response('second');
      arrived.resolve();
      await first.promise;
      return new Response('first');
    },
  });
  const held = await dial(listener);
  held.write(get('/first'));
  await arrived.promise;
  const late = await dial(listener);
  late.write(get('/second'));
  await once(late, 'data');
  // Half a request keeps the connection from being idle when the drain begins.
  late.write('GET /second HTTP/1.1\r\n');
  await fetch(`${listener.url}/second`);
  const closed = listener.close(60_000);
  late.write('Host: localhost\r\n\r\n');
  const answer = await text(late);
  expect(answer).toContain('second');
  expect(answer).toMatch(/^Connection: close\r$/im);
  first.resolve();
  await closed;
});

test('a drain cuts what is still running at its deadline [H12]', async () => {
  const arrived = Promise.withResolvers<void>();
  const clock = handClock();
  const listener = await open({
    clock,
    fetch: () => {
      arrived.resolve();
      return new Promise(() => {});
    },
  });
  const stuck = await dial(listener);
  stuck.write(get());
  await arrived.promise;
  const closed = listener.close(60_000);
  clock.ring();
  await closed;
  await text(stuck).catch(() => {});
  expect(stuck.destroyed).toBe(true);
});

test('headers that trickle in are cut off, and a stream under way is not', async () => {
  let send: (event: string) => void = () => {};
  const stream = new ReadableStream({
    start(controller) {
      send = (event) => controller.enqueue(new TextEncoder().encode(event));
    },
  });
  const listener = await open({
    // Long enough for the request that opens the stream; a connection is idle for longer than headers may take.
    timeouts: { headersMs: 1_000, requestMs: 60_000, idleMs: 10_000 },
    fetch: () => new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } }),
  });
  const events = await fetch(listener.url);
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  const slow = await dial(listener);
  slow.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow:');
  expect(await text(slow)).toContain('408 Request Timeout');
  const silent = await dial(listener);
  expect(await text(silent)).toContain('408 Request Timeout');
  send('data: still here\n\n');
  expect((await reader.read()).value).toBe('data: still here\n\n');
  await reader.cancel();
});

test('a stream keeps nothing of what it has sent [N5]', async () => {
  const opened = Promise.withResolvers<ReadableStreamDefaultController>();
  const body = new ReadableStream({ start: opened.resolve });
  const socket = await dial(await open({ fetch: () => new Response(body) }));
  socket.write(get());
  const controller = await opened.promise;
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) {
      controller.enqueue(new Uint8Array([10]));
      await once(socket, 'data');
    }
  };
  await send(100);
  const promises = () => queryObjects(Promise, { format: 'count' });
  const before = promises();
  await send(1_000);
  expect(promises() - before).toBeLessThan(100);
});

test('a stream whose reader left before it began is cancelled [N5]', async () => {
  const asked = Promise.withResolvers<Connection | undefined>();
  const answer = Promise.withResolvers<Response>();
  const listener = await open({
    fetch(_, { connection }) {
      asked.resolve(connection);
      return answer.promise;
    },
  });
  const socket = await dial(listener);
  socket.write(get());
  const connection = await asked.promise;
  socket.destroy();
  await eventually(() => expect(connection?.isClosed?.()).toBe(true));
  await new Promise<void>((resolve) => {
    answer.resolve(new Response(new ReadableStream({ cancel: resolve })));
  });
});

test('a body that trickles in is cut off', async () => {
  const listener = await open({
    timeouts: { headersMs: 100, requestMs: 100, idleMs: 100 },
    fetch: async (incoming) => new Response(await incoming.text()),
  });
  const slow = await dial(listener);
  slow.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx');
  expect(await text(slow)).toContain('408 Request Timeout');
});

test('headers above 16 KiB are refused', async () => {
  const listener = await open();
  const socket = await dial(listener);
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`);
  expect(await text(socket)).toContain('431 Request Header Fields Too Large');
});

test.each([
  ['of declared length', 'Content-Length: 104857600'],
  ['of undeclared length', 'Transfer-Encoding: chunked'],
])(
  'a body of 100 MB %s is refused and its connection ends long before the whole [H32]',
  async (_name, header) => {
    const app = new Hono<EdgeEnv>();
    app.post('/', async (c) => c.text(await c.req.text()));
    const edge = createEdge({
      publicUrl: new URL('http://localhost'),
      trustedProxies: [],
      mounts: [{ app, paths: { '/': {} } }],
      logger: { debug: () => {}, info: () => {}, error: () => {} },
      clock: systemClock,
      random: systemRandom,
    });
    const listener = await open({ fetch: edge.fetch });
    const socket = await dial(listener);
    const answer = once(socket, 'data');
    let sent = 0;
    const body = function* () {
      yield Buffer.from(`POST / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`);
      const megabyte = 'x'.repeat(1024 * 1024);
      for (; sent < 100; sent += 1) {
        yield Buffer.from(header.startsWith('T') ? `100000\r\n${megabyte}\r\n` : megabyte);
      }
    };
    await pipeline(body, socket).catch(() => {});
    expect(String(await answer)).toContain('413 Payload Too Large');
    expect(sent).toBeLessThan(100);
  },
);

async function peerCertificate(listener: Listener) {
  const socket = connectTls({ port: listener.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const peer = socket.getPeerCertificate();
  socket.destroy();
  return peer;
}

async function getOverTls(listener: Listener): Promise<string> {
  const outgoing = request(`https://127.0.0.1:${listener.port}`, {
    rejectUnauthorized: false,
    agent: false,
  });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  return text(incoming);
}

/** Hosts that a URL cannot have. */
const impossible = ['localhost:65536', 'a b', '', '[::1', 'user@localhost', 'a/b', '1.2.3.256'];

test.each([
  ...impossible.map((host) => [host, 400, 'MALFORMED_REQUEST'] as const),
  ['xn--', 403, 'FORBIDDEN_HOST'] as const,
  ['0x7f.1', 403, 'FORBIDDEN_HOST'] as const,
  ['evil.example', 403, 'FORBIDDEN_HOST'] as const,
])(
  'the host "%s" is refused on every path, with and without an origin [F24]',
  async (host, status, code) => {
    const faults: unknown[] = [];
    const { port } = await openShop((error) => void faults.push(error));
    for (const path of ['/shop/direct', '/shop/app', '/nowhere']) {
      for (const origin of ['', 'Origin: http://x\r\n', 'Origin: a b\r\n']) {
        const answer = await converse(
          port,
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${origin}Connection: close\r\n\r\n`,
        );
        expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
        expect(answer).toContain(code);
      }
    }
    expect(faults).toEqual([]);
  },
);

test('an error that nothing handled is answered with a bare 500, reported, and the next request is served [F24]', async () => {
  const faults: unknown[] = [];
  const broken = () => {
    throw new Error('password=hunter2');
  };
  const listener = await open({
    fetch: ({ url }) => (url.endsWith('/fetch') ? broken() : new Response('hello')),
    answerDirectly: ({ url }) => url === '/direct' && broken(),
    reportFault: (error, part) => void faults.push([part, (error as Error).message]),
  });
  for (const path of ['/direct', '/fetch']) {
    const closing = get(path).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const answer = await converse(listener.port, closing);
    expect(answer.slice(0, 12)).toBe('HTTP/1.1 500');
    expect(answer).not.toContain('hunter2');
  }
  expect(faults).toEqual([
    ['request', 'password=hunter2'],
    ['answer', 'password=hunter2'],
  ]);
  expect(await (await fetch(`${listener.url}/`)).text()).toBe('hello');
});

/** Serves one path directly, and one through the app. */
async function openShop(reportFault: ListenerOptions['reportFault']): Promise<Listener> {
  const app = new Hono<EdgeEnv>().get('/shop/app', (c) => c.text('open'));
  const answer = () => ({ status: 200, headers: {}, body: 'open' });
  const edge = createEdge({
    publicUrl: new URL('http://localhost:8787'),
    trustedProxies: [],
    mounts: [
      {
        app,
        endpoints: [{ method: 'GET', path: '/shop/direct', answer }],
        paths: { '/shop/*': { origins: 'any' } },
      },
    ],
    logger: { debug: () => {}, info: () => {}, error: (fields) => reportFault?.(fields, 'answer') },
    clock: systemClock,
    random: systemRandom,
  });
  return open({ ...edge, ...(reportFault === undefined ? {} : { reportFault }) });
}

/** Sends a text and returns all that comes back. */
async function converse(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(sent);
  return text(socket);
}
