import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { openEvm } from '../../src/devchain/evm/open-evm.ts';
import { swapLimits } from '../../src/swap/limits.ts';
import { openChainReader } from '../support/chain-reader.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const block = { number: 1n, hash: `0x${'11'.repeat(32)}` } as const;
const calls = [{ data: '0x' }] as const;

async function openReader(answer: (body: string, response: ServerResponse) => void) {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') response.end();
    else answer(await text(request), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Holds because the server listens on a port and not on a pipe.
  const { port } = server.address() as AddressInfo;
  const urls = [`http://127.0.0.1:${port}`];
  // On a fake clock nothing times out.
  const opened = openChainReader({ urls, clock: createFakeClock() });
  onTestFinished(async () => {
    await opened.close();
    server.closeAllConnections();
    server.close();
  });
  /** When this resolves, everything sent before has reached the server. */
  const settle = async () => {
    for (const url of urls) await (await fetch(url)).text();
  };
  return { reader: opened.reader, settle };
}

it('does not read an answer of an RPC endpoint beyond its declared limit [D5]', async () => {
  let written = 0;
  const broken = Promise.withResolvers<void>();
  const { reader } = await openReader((_body, response) => {
    response.on('close', broken.resolve);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const write = () => {
      while (!response.destroyed) {
        written += chunk.length;
        if (!response.write(chunk)) return response.once('drain', write);
      }
      return undefined;
    };
    write();
  });
  await expect(reader.call(calls, { block })).rejects.toMatchObject({
    code: 'UPSTREAM_ERROR',
    details: { attempts: [{ message: expect.stringMatching(/longer than \d+ bytes/) }] },
  });
  await broken.promise;
  // The call, the two requests before it, and what the system buffers for a connection.
  expect(written).toBeLessThan(3 * swapLimits.rpcCallAnswer.value + 16 * 1024 * 1024);
});

it('has no more requests under way to RPC endpoints than it may [D5]', async () => {
  const most = swapLimits.rpcRequestsAtOnce.value;
  const held: (() => void)[] = [];
  const full = Promise.withResolvers<void>();
  let isOpen = false;
  let underWay = 0;
  let greatest = 0;
  const { reader, settle } = await openReader((body, response) => {
    underWay += 1;
    greatest = Math.max(greatest, underWay);
    const release = () => {
      underWay -= 1;
      response.end(answerTo(body));
    };
    if (isOpen) return release();
    held.push(release);
    if (held.length === most) full.resolve();
  });
  const reads = Array.from({ length: 3 * most }, () => reader.call(calls, { block }));
  await full.promise;
  await settle();
  isOpen = true;
  for (const release of held) release();
  expect(await Promise.all(reads)).toHaveLength(3 * most);
  expect(greatest).toBe(most);
});

/** The answer of a node of chain 1 that knows the block and returns nothing for every call. */
function answerTo(body: string): string {
  const message: unknown = JSON.parse(body);
  const one = ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
    if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: '0x1' };
    const isPhantom = JSON.stringify(params).includes('0x0000000000000000000000000000000000000000');
    const unknown = { code: -32001, message: 'unknown block' };
    return isPhantom
      ? { jsonrpc: '2.0', id, error: unknown }
      : { jsonrpc: '2.0', id, result: '0x' };
  };
  return JSON.stringify(Array.isArray(message) ? message.map(one) : one(message as never));
}

it('does not run calls of the development chain whose caller has left [D5]', async () => {
  const evm = await openEvm({ chainId: 31337 });
  onTestFinished(() => evm.close());
  const mine = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] });
  const leaving = new AbortController();
  const answers = Array.from({ length: 50 }, () => evm.handle(mine, leaving));
  leaving.abort();
  const outcomes = (await Promise.all(answers)).map((answer) => 'result' in JSON.parse(answer));
  const mined = outcomes.filter(Boolean).length;
  expect(await evm.request({ method: 'eth_blockNumber' })).toBe(`0x${mined.toString(16)}`);
  expect(mined).toBeLessThanOrEqual(1);
});

it('refuses calls of the development chain beyond those that may wait [D5]', async () => {
  const evm = await openEvm({ chainId: 31337 });
  onTestFinished(() => evm.close());
  const ask = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const answers = await Promise.all(Array.from({ length: 1_100 }, () => evm.handle(ask)));
  const refused = answers.filter((answer) => JSON.parse(answer).error?.code === -32005);
  expect(refused).toHaveLength(1_100 - 1_024 - 1);
});
