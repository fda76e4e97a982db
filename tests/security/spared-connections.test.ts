import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { converse, plainSockets, readAnswers } from '../support/converse.ts';
import { eventually } from '../support/eventually.ts';

const certificate = (name: string) =>
  join(import.meta.dirname, '../support/certificates', `${name}.pem`);
const tls = { certPath: certificate('localhost'), keyPath: certificate('localhost-key') };
const bounds = { each: 4, all: 8 };

/** Serves everything at once but `/slow`, which is answered when it is released. */
async function open(options: { tls?: typeof tls; proxies?: string[]; idleMs?: number } = {}) {
  const begun: (() => void)[] = [];
  const asked: (string | undefined)[] = [];
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    asked.push(incoming.url);
    const end = () => void outgoing.writeHead(200, ['Content-Length', '2']).end('ok');
    if (incoming.url === '/slow') begun.push(end);
    else if (incoming.url === '/half') incoming.resume().on('end', end);
    else end();
    return true;
  };
  const listener = await openListener({
    fetch: () => new Response(null, { status: 500 }),
    answerDirectly: answer,
    ...(options.tls && { tls: options.tls }),
    ...(options.idleMs && { timeouts: { idleMs: options.idleMs } }),
    mostConnections: bounds,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: parseNetworks(options.proxies ?? []),
    clock: systemClock,
  });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await listener.close(0);
  });
  const dial = async (localAddress: string) => {
    const where = { port: listener.port, host: '127.0.0.1', localAddress };
    const socket =
      options.tls === undefined
        ? connectPlain(where)
        : connectSecurely({ ...where, rejectUnauthorized: false });
    sockets.push(socket);
    socket.on('error', () => {});
    await once(socket, options.tls === undefined ? 'connect' : 'secureConnect');
    return socket;
  };
  /** Opens a connection and sends a request; for `/slow` and `/half` no answer is awaited. */
  const ask = async (localAddress: string, path = '/health') => {
    const socket = await dial(localAddress);
    const more = path === '/half' ? 'Content-Length: 9\r\n' : '';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`);
    const [waiting, before] = [path === '/health', asked.length];
    if (waiting) await once(socket, 'data');
    else await eventually(() => expect(asked.length).toBeGreaterThan(before));
    return socket.resume();
  };
  return { port: listener.port, ask, dial, begun, asked };
}

const isOpen = (socket: Socket) => !socket.closed;
const openOf = (sockets: readonly Socket[]) => sockets.filter(isOpen).length;

test.each([
  ['plain', undefined],
  ['TLS', tls],
])(
  'an idle %s connection of the address that has most makes room for a newcomer, and one that is worked on never [F77]',
  async (_, files) => {
    const { ask, begun } = await open(files && { tls: files });
    const working = [await ask('127.0.0.2', '/slow'), await ask('127.0.0.2', '/slow')];
    const few = [await ask('127.0.0.3'), await ask('127.0.0.3')];
    const many = [await ask('127.0.0.4', '/slow')];
    for (let count = 0; count < 3; count++) many.push(await ask('127.0.0.4'));
    for (let newcomer = 5; newcomer <= 6; newcomer++) await ask(`127.0.0.${newcomer}`);
    await eventually(() => expect([openOf(many), openOf(few), openOf(working)]).toEqual([2, 2, 2]));
    // However many come, whoever is worked on keeps its place.
    for (let newcomer = 7; newcomer <= 20; newcomer++) await ask(`127.0.0.${newcomer}`);
    await eventually(() => expect([openOf(many), openOf(few), openOf(working)]).toEqual([1, 0, 2]));
    const answers = [...working, ...many.filter(isOpen)].map((socket) => once(socket, 'data'));
    for (const end of begun) end();
    for (const [bytes] of await Promise.all(answers)) expect(`${bytes}`).toContain('200 OK');
  },
);

test('an address beyond its share loses its own oldest idle connection to its new one [F77]', async () => {
  const { ask } = await open();
  const sockets: Socket[] = [];
  for (let count = 0; count < 6; count++) sockets.push(await ask('127.0.0.2'));
  await eventually(() =>
    expect(sockets.map(isOpen)).toEqual([false, false, true, true, true, true]),
  );
});

test('a request that does not come to its end makes room, after idle connections [F77]', async () => {
  const { ask, dial } = await open();
  const halves: Socket[] = [];
  for (let count = 0; count < bounds.all; count++) {
    halves.push(await ask(`127.0.0.${2 + Math.floor(count / 4)}`, '/half'));
  }
  const silent = await dial('127.0.0.5');
  await ask('127.0.0.6');
  await eventually(() => expect(isOpen(silent)).toBe(true));
  await eventually(() => expect(openOf(halves)).toBe(bounds.all - 2));
});

test('connections of a proxy stay, and a newcomer is refused where nothing can be spared [F77]', async () => {
  const { ask, dial } = await open({ proxies: ['127.0.0.2'] });
  const ofProxy: Socket[] = [];
  for (let count = 0; count < bounds.all; count++) ofProxy.push(await ask('127.0.0.2'));
  const refused = await dial('127.0.0.3');
  await once(refused.resume(), 'close');
  expect(openOf(ofProxy)).toBe(bounds.all);
});

test('line ends between requests do not keep a connection [F77]', async () => {
  const { ask } = await open({ idleMs: 500 });
  const socket = await ask('127.0.0.2');
  let sent = 0;
  // Each answer of the kernel to a written line end lets the next be written, far more often than the connection may be idle.
  const drip = () => {
    if (isOpen(socket) && socket.writable) {
      sent += 1;
      socket.write('\r\n', () => setTimeout(drip, 10));
    }
  };
  drip();
  await once(socket, 'close');
  expect(sent).toBeGreaterThan(2);
});

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

test.each([
  ['whole', get('/dropped'), get('/smuggled')],
  ['in halves', 'GET /dropped HTTP/1.1\r\nHost: localhost\r\nX: ', get('/smuggled')],
])(
  'what follows a request that asks for an upgrade, %s, is no request, and the connection closes [F79]',
  async (_, same, next) => {
    const { port, asked } = await open();
    const socket = plainSockets(port)();
    const first = once(socket, 'data');
    const text = get('/first', upgrade) + same;
    socket.on('error', () => {}).write(text);
    const [answer] = await first;
    expect(`${answer}`).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close/);
    socket.write(next);
    await once(socket.resume(), 'close');
    expect(asked).toEqual(['/first']);
  },
);

test('nothing that comes while an upgrade is being answered is a request [F79]', async () => {
  const { port, asked, begun } = await open();
  const socket = plainSockets(port)();
  socket.on('error', () => {}).write(get('/slow', upgrade));
  await eventually(() => expect(begun).toHaveLength(1));
  socket.write(get('/smuggled'));
  const other = await converse(
    plainSockets(port),
    { text: get('/other', 'Connection: close\r\n') },
    20_000,
  );
  expect(readAnswers(other)[0]).toMatchObject({ status: 200 });
  begun[0]?.();
  await once(socket.resume(), 'close');
  expect(asked).toEqual(['/slow', '/other']);
});

test('a request of HTTP/1.0 with a transfer coding closes its connection [F79]', async () => {
  const { port, asked } = await open();
  const text = `POST /old HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get('/smuggled')}`;
  const [answer, ...more] = readAnswers(await converse(plainSockets(port), { text }, 20_000));
  expect(answer?.status).toBe(200);
  expect(more).toEqual([]);
  expect(asked).toEqual(['/old']);
});

test.each(['gzip, chunked', 'identity, chunked', 'chunked, chunked'])(
  'the transfer coding "%s" is refused, and the connection closes [F79]',
  async (coding) => {
    const { port, asked } = await open();
    const text = `POST /coded HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n${get('/next')}`;
    const answers = readAnswers(await converse(plainSockets(port), { text }, 20_000));
    expect(answers).toHaveLength(1);
    expect([400, 501]).toContain(answers[0]?.status);
    expect(asked).toEqual([]);
  },
);
