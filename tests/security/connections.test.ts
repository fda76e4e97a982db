import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import { edgeLimits } from '../../src/kernel/edge/limits.ts';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import type { EdgeEnv } from '../../src/kernel/edge/mount.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { converse, plainSockets, readAnswers } from '../support/converse.ts';
import { eventually } from '../support/eventually.ts';

const certificate = (name: string) =>
  join(import.meta.dirname, '../support/certificates', `${name}.pem`);
const tls = { certPath: certificate('localhost'), keyPath: certificate('localhost-key') };

/** Serves `/direct` directly and `/app` through the app, which answer when they are released, and `/endless`. */
async function open({ timeouts = {}, ...more }: { timeouts?: object; tls?: typeof tls } = {}) {
  const begun: (() => void)[] = [];
  let cut = 0;
  const work = () => new Promise<void>((resolve) => begun.push(resolve));
  const endless = () =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.alloc(1024 * 1024)),
      cancel: () => {
        cut += 1;
      },
    });
  const app = new Hono<EdgeEnv>()
    .get('/app', async (c) => {
      await work();
      return c.text('done');
    })
    .get('/endless', () => new Response(endless()));
  const edge = createEdge({
    publicUrl: new URL('http://localhost:8787'),
    trustedProxies: [],
    mounts: [
      {
        app,
        endpoints: [
          {
            method: 'POST',
            path: '/direct',
            answer: async () => {
              await work();
              return { status: 200, headers: {}, body: 'done' };
            },
          },
        ],
        paths: {
          '/app': { origins: 'any' },
          '/direct': { origins: 'any' },
          '/endless': { origins: 'any' },
        },
      },
    ],
    logger: { debug: () => {}, info: () => {}, error: () => {} },
    clock: systemClock,
    random: systemRandom,
  });
  const listener = await openListener({
    ...edge,
    ...more,
    timeouts,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock: systemClock,
  });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await listener.close(0);
  });
  const dial = () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  return { port: listener.port, dial, begun, cutCount: () => cut };
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const post = 'POST /direct HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi';
/** The first bytes of a ClientHello. */
const beginning = Buffer.from('16030100', 'hex');

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a part of its handshake', beginning],
])('a TLS connection that sends %s is closed when its time is over [F61]', async (_, bytes) => {
  const { dial } = await open({ tls, timeouts: { handshakeMs: 100 } });
  let isClosed = false;
  const socket = dial().on('close', () => {
    isClosed = true;
  });
  socket.resume().write(bytes);
  await eventually(() => expect(isClosed).toBe(true));
});

test.each([
  ['directly', post],
  ['through the app', get('/app')],
])(
  'requests of one connection, answered %s, are worked on one after another [F62]',
  async (_, request) => {
    const { port, begun } = await open();
    const told = converse(plainSockets(port), { text: request.repeat(1_400) }, 60_000);
    const most = edgeLimits.pipelined.value;
    for (let turn = 1; turn <= most; turn++) {
      await eventually(() => expect(begun).toHaveLength(turn));
      begun[turn - 1]?.();
    }
    const answers = readAnswers(await told);
    expect(answers.map(({ status, body }) => `${status} ${body}`)).toEqual(
      Array.from({ length: most }, () => '200 done'),
    );
    expect(begun).toHaveLength(most);
  },
);

test('a connection that does not take its answer is closed, and one that waits for its answer is not [F63]', async () => {
  const { dial, port, begun, cutCount } = await open({ timeouts: { answerMs: 150 } });
  const waiting = converse(
    plainSockets(port),
    { text: get('/app', 'Connection: close\r\n') },
    60_000,
  );
  await eventually(() => expect(begun).toHaveLength(1));
  for (let reader = 1; reader <= 3; reader++) {
    const socket = dial().pause();
    socket.write(get('/endless'));
    if (reader === 2) socket.end();
    await eventually(() => expect(cutCount()).toBe(reader));
  }
  begun[0]?.();
  expect(readAnswers(await waiting)[0]).toMatchObject({ status: 200, body: 'done' });
});
