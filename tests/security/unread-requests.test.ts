import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import {
  type ListenerOptions,
  openListener,
} from '../../src/kernel/edge/listener/open-listener.ts';
import type { EdgeEnv } from '../../src/kernel/edge/mount.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';

const host = 'Host: localhost';

test.each([
  ['no HTTP at all', 'nonsense\r\n\r\n', 'MALFORMED_REQUEST', 400],
  ['a beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'MALFORMED_REQUEST', 400],
  [
    'a header with a line break',
    `GET / HTTP/1.1\r\n${host}\r\nX: a\rb\r\n\r\n`,
    'MALFORMED_REQUEST',
    400,
  ],
  [
    'two lengths',
    `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    'MALFORMED_REQUEST',
    400,
  ],
  [
    'a length beside chunks',
    `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'MALFORMED_REQUEST',
    400,
  ],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 'MALFORMED_REQUEST', 400],
  [
    'a whole address and no host',
    'GET http://localhost/ HTTP/1.1\r\n\r\n',
    'MALFORMED_REQUEST',
    400,
  ],
  [
    'headers above 16 KiB',
    `GET / HTTP/1.1\r\n${host}\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    'HEADERS_TOO_LARGE',
    431,
  ],
  ['headers that do not end', `GET / HTTP/1.1\r\n${host}\r\nX: `, 'REQUEST_TIMEOUT', 408],
  ['a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n\r\n`, 'NOT_A_PROXY', 501],
])(
  '%s is refused with the headers of every answer, and is the last of its connection [H30, H34]',
  async (_, sent, code, status) => {
    // Only the request that never ends gets a short timeout.
    const { dial, lines } = await open(code === 'REQUEST_TIMEOUT' ? { headersMs: 100 } : {});
    const socket = await dial();
    socket.write(sent);
    const { head, body } = read(await text(socket));
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/^connection: close$/im);
    expect(head).toMatch(/^x-content-type-options: nosniff$/im);
    expect(head).toMatch(/^referrer-policy: no-referrer$/im);
    expect(head).toMatch(/^content-security-policy: .*frame-ancestors 'none'$/im);
    expect(head).toMatch(/^strict-transport-security: /im);
    expect(head).toMatch(/^content-type: application\/json$/im);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code } });
    const requestId = /^x-request-id: (.+)$/im.exec(head)?.[1];
    expect(lines).toContainEqual(
      expect.objectContaining({ status, requestId, caller: '127.0.0.1' }),
    );
  },
);

test.each([
  ['asks for another protocol', 'Upgrade: websocket\r\nConnection: Upgrade'],
  ['expects what nobody knows', 'Expect: a-miracle'],
])('a request that %s is answered as any other', async (_, header) => {
  const { dial } = await open();
  const socket = await dial();
  socket.write(`GET / HTTP/1.1\r\n${host}\r\n${header}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 OK/);
  expect(String(answer)).toMatch(/^X-Content-Type-Options: nosniff\r$/im);
  socket.destroy();
});

test('garbage after a request adds nothing to the response in progress', async () => {
  const { dial } = await open();
  const socket = await dial();
  socket.write(`GET /stream HTTP/1.1\r\n${host}\r\n\r\n`);
  await once(socket, 'data');
  socket.write('nonsense\r\n\r\n');
  expect(await text(socket)).not.toContain('HTTP/1.1');
});

test('a caller who disconnects after CONNECT does not crash the server', async () => {
  const { dial } = await open();
  const gone = await dial();
  gone.write(`CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n\r\n`);
  gone.resetAndDestroy();
  const socket = await dial();
  socket.write(`GET / HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toContain('200 OK');
});

function read(message: string) {
  const end = message.indexOf('\r\n\r\n');
  return { head: message.slice(0, end).replaceAll('\r', ''), body: message.slice(end + 4) };
}

async function open(timeouts: ListenerOptions['timeouts'] = {}) {
  const lines: object[] = [];
  const log = (fields: object) => void lines.push(fields);
  const app = new Hono<EdgeEnv>();
  app.get('/', (c) => c.text('reached'));
  app.get('/stream', () => {
    const start = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new TextEncoder().encode('first'));
    return new Response(new ReadableStream({ start }));
  });
  const edge = createEdge({
    publicUrl: new URL('https://localhost'),
    trustedProxies: [],
    mounts: [{ app, paths: { '/*': {} } }],
    logger: { debug: log, info: log, error: log },
    clock: systemClock,
    random: systemRandom,
  });
  const options: ListenerOptions = {
    fetch: edge.fetch,
    refuseUnread: edge.refuseUnread,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock: systemClock,
    timeouts,
  };
  const listener = await openListener(options);
  onTestFinished(() => listener.close(0));
  const dial = async (): Promise<Socket> => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  return { dial, lines };
}
