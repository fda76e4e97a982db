import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import { edgeLimits } from '../../src/kernel/edge/limits.ts';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import type { EdgeEnv } from '../../src/kernel/edge/mount.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { converse, readAnswers } from '../support/converse.ts';
import { eventually } from '../support/eventually.ts';

const [mebibyte, largest] = [1024 * 1024, 5 * 1024 * 1024];
const share = edgeLimits.bodyBytesOfCaller.value;

/** Serves a path directly and another through the app, both with bodies of 5 MiB. */
async function open(proxies: readonly string[] = []) {
  const trustedProxies = parseNetworks(proxies);
  const app = new Hono<EdgeEnv>().post('/rpc', async (c) =>
    c.text(`${(await c.req.text()).length}`),
  );
  const edge = createEdge({
    publicUrl: new URL('http://localhost:8787'),
    trustedProxies,
    mounts: [
      {
        app,
        endpoints: [
          {
            method: 'POST',
            path: '/token',
            answer: ({ body }) => ({ status: 200, headers: {}, body: `${body.length}` }),
          },
        ],
        paths: {
          '/rpc': { origins: 'any', bodyLimit: largest },
          '/token': { origins: 'any', bodyLimit: largest },
        },
      },
    ],
    logger: { debug: () => {}, info: () => {}, error: () => {} },
    clock: systemClock,
    random: systemRandom,
  });
  const listener = await openListener({
    ...edge,
    host: '127.0.0.1',
    port: 0,
    trustedProxies,
    clock: systemClock,
  });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await listener.close(0);
  });
  const dial = (address = '127.0.0.1') => {
    const socket = connect({ port: listener.port, host: '127.0.0.1', localAddress: address });
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  return { dial };
}

const post = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n${more}\r\n`;

/** The status of each request whose body stays away; `undefined` while it is waited for. */
async function sendHalves(dial: () => Socket, { count, text }: { count: number; text: string }) {
  const statuses: (number | undefined)[] = [];
  const halves = Array.from({ length: count }, (_, index) => {
    const socket = dial();
    statuses.push(undefined);
    socket.on('data', (chunk) => {
      statuses[index] ??= Number(chunk.toString().split(' ')[1]);
    });
    socket.write(`${text}x`);
    return socket;
  });
  return { statuses, halves };
}

test.each(['/rpc', '/token'])(
  'halves of bodies at %s hold at most the share of their caller, and others are served [F40]',
  async (path) => {
    const { dial } = await open();
    const { statuses, halves } = await sendHalves(dial, { count: 100, text: post(path, largest) });
    const held = Math.floor(share / largest);
    await eventually(() =>
      expect(statuses.filter((status) => status === 429)).toHaveLength(100 - held),
    );
    expect(statuses.filter((status) => status === undefined)).toHaveLength(held);
    const whole = `${post(path, 5, 'Connection: close\r\n')}hello`;
    const ask = async (address: string) =>
      readAnswers(await converse(() => dial(address), { text: whole }, 20_000))[0];
    expect(await ask('127.0.0.2')).toMatchObject({ status: 200, body: '5' });
    // What is given up is free again.
    for (const half of halves) half.destroy();
    const again = `${post(path, largest, 'Connection: close\r\n')}${'x'.repeat(largest)}`;
    await eventually(async () => {
      const [answer] = readAnswers(await converse(dial, { text: again }, 20_000));
      expect(answer).toMatchObject({ status: 200, body: `${largest}` });
    });
  },
);

test('2,000 halves of 65 KB hold at most the share, declared or in chunks [F40]', async () => {
  const { dial } = await open();
  const declared = await sendHalves(dial, { count: 900, text: post('/token', 65_000) });
  const held = Math.floor(share / 65_000);
  await eventually(() =>
    expect(declared.statuses.filter((status) => status === 429)).toHaveLength(900 - held),
  );
  const chunked =
    'POST /rpc HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n';
  const { statuses } = await sendHalves(dial, { count: 20, text: chunked });
  await eventually(() => expect(statuses.every((status) => status === 429)).toBe(true));
});

test('bodies that are announced and do not come keep nobody out, from however many addresses [F78]', async () => {
  const { dial } = await open();
  for (let caller = 0; caller < 8; caller++) {
    const address = `127.0.0.${10 + caller}`;
    const text = post('/rpc', 4 * mebibyte);
    await sendHalves(() => dial(address), { count: share / mebibyte / 4, text });
  }
  const text = `${post('/rpc', 5, 'Connection: close\r\n')}hello`;
  const [answer] = readAnswers(await converse(() => dial('127.0.0.99'), { text }, 20_000));
  expect(answer).toMatchObject({ status: 200, body: '5' });
});

test('unfinished bodies of all callers hold at most the whole: the largest are cut off, and a newcomer is served [F40, F78]', async () => {
  const { dial } = await open();
  const [each, ofCaller] = [4 * mebibyte, share / mebibyte / 4];
  const part = 'x'.repeat(each - 1);
  let closed = 0;
  const callers = edgeLimits.bodyBytes.value / share + 1;
  for (let caller = 0; caller < callers; caller++) {
    const address = `127.0.0.${10 + caller}`;
    const text = `${post('/rpc', each + 1)}${part}`;
    const { halves } = await sendHalves(() => dial(address), { count: ofCaller - 1, text });
    for (const half of halves) half.on('close', () => (closed += 1));
  }
  const excess = callers * (ofCaller - 1) * each - edgeLimits.bodyBytes.value;
  await eventually(() => expect(closed).toBeGreaterThanOrEqual(Math.ceil(excess / each)));
  const text = `${post('/rpc', mebibyte, 'Connection: close\r\n')}${'x'.repeat(mebibyte)}`;
  const [answer] = readAnswers(await converse(() => dial('127.0.0.99'), { text }, 60_000));
  expect(answer).toMatchObject({ status: 200, body: `${mebibyte}` });
});

test.each([
  [[], edgeLimits.connectionsOfCaller.value],
  [['loopback'], edgeLimits.connectionsOfCaller.value + 200],
])(
  'idle connections of one address beyond its share are closed, except those of the proxies %j [F40]',
  async (proxies, most) => {
    const { dial } = await open(proxies);
    let [opened, closed] = [0, 0];
    for (let index = 0; index < edgeLimits.connectionsOfCaller.value + 200; index++) {
      const socket = dial();
      await once(socket, 'connect');
      opened += 1;
      socket.on('close', () => {
        closed += 1;
      });
      socket.resume();
    }
    await eventually(() => expect(opened - closed).toBe(most));
    const whole = `${post('/rpc', 5, 'Connection: close\r\n')}hello`;
    const [answer] = readAnswers(await converse(() => dial('127.0.0.2'), { text: whole }, 20_000));
    expect(answer).toMatchObject({ status: 200, body: '5' });
  },
);

const framings = {
  'without a body': '\r\n',
  'of length 0': 'Content-Length: 0\r\n\r\n',
  'with a body': 'Content-Length: 5\r\n\r\nhello',
  'with a body in chunks': 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'with a trailer': 'Transfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: a\r\n\r\n',
  'that waits for 100': 'Expect: 100-continue\r\nContent-Length: 5\r\n\r\nhello',
  'that is not whole': 'Content-Length: 5\r\n\r\nhel',
};
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const kinds = methods.flatMap((method) =>
  Object.entries(framings).map(([framing, rest]) => ({ method, framing, rest })),
);

test.each(kinds)(
  'a $method $framing leaves nothing of its place among unfinished bodies [F60]',
  async ({ method, rest }) => {
    const { dial } = await open();
    const held = Math.floor(share / largest);
    const ask = async (path: string) => {
      const socket = dial();
      const closed = once(socket, 'close');
      socket.on('data', () => socket.end());
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
      if (rest.endsWith('hel')) socket.end();
      await closed;
    };
    for (let count = 0; count <= held; count++) {
      await Promise.all(['/rpc', '/token', '/nowhere'].map(ask));
    }
    const { statuses } = await sendHalves(dial, { count: held, text: post('/rpc', largest) });
    const last = readAnswers(
      await converse(dial, { text: `${post('/rpc', 5, 'Connection: close\r\n')}hello` }, 20_000),
    );
    expect(last[0]).toMatchObject({ status: 200, body: '5' });
    expect(statuses).toEqual(Array.from({ length: held }));
  },
);
