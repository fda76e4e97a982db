import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../kernel/wait/clock.ts';
import { parsePostTarget, postJson } from './post-json.ts';
import { createRpcTransport } from './rpc-transport.ts';

it('turns a user name and password into a header and takes them from the URL', () => {
  const { url, headers } = parsePostTarget('https://us%20er:pa%3Ass@node.example/key?also=key');
  expect(url.href).toBe('https://node.example/key?also=key');
  expect(headers.authorization).toBe(`Basic ${btoa('us er:pa:ss')}`);
});

it('sends no authorization header where the URL has no user name and password', () => {
  expect(parsePostTarget('https://node.example').headers).not.toHaveProperty('authorization');
});

/** A node that closes the connections of some requests, and counts the requests. */
async function openNode(closes: (request: IncomingMessage) => boolean) {
  let asked = 0;
  const node = createServer((request, response) => {
    asked += 1;
    if (closes(request)) request.socket.destroy();
    else request.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(node, 'listening');
  const transport = createRpcTransport();
  onTestFinished(async () => {
    node.close();
    node.closeAllConnections();
    await transport.destroy();
  });
  const { port } = node.address() as AddressInfo;
  const { signal } = new AbortController();
  const target = parsePostTarget(`http://127.0.0.1:${port}`);
  const ask = () => postJson(target, { body: '[]', longestAnswer: 100, transport, signal });
  return { ask, asked: () => asked };
}

it('retries once where a kept-alive connection is closed as it is used [Q2]', async () => {
  const { ask, asked } = await openNode(({ socket }) => socket.bytesWritten > 0);
  expect(await ask()).toMatchObject({ status: 200 });
  // A connection is free again only after its answer was read.
  await systemClock.turn();
  expect(await ask()).toMatchObject({ status: 200 });
  expect(asked()).toBe(3);
});

it('gives up on a node that closes the second connection too [Q2]', async () => {
  const { ask, asked } = await openNode(() => true);
  expect(await ask()).toMatchObject({ reason: 'connection' });
  expect(asked()).toBe(2);
});
