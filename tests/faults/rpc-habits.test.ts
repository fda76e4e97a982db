import { numberToHex } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import type { Call, ChainReader } from '../../src/swap/chain/chain-reader.ts';
import type { Address } from '../../src/swap/model.ts';
import { openChainReader } from '../support/chain-reader.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';

type Message = { id: number; method: string; params: unknown[] };
type RpcError = { code: number; message: string };

/** The oddities of a node, which otherwise behaves like the chain. */
type Habits = {
  /** Refuses a whole batch. */
  refuseBatch?: (size: number) => RpcError | undefined;
  /** Refuses one request, which has `position` others before it in its batch. */
  refuse?: (request: Message, position: number) => RpcError | undefined;
};

/** NUMBER PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN */
const answerNumber = { data: '0x4360005260206000f3' } as const;
const contract = `0x${'c0'.repeat(20)}` as Address;
const numbered = (count: number): Call[] =>
  // PUSH1 n PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
  Array.from({ length: count }, (_, index) => {
    const push = (index + 1).toString(16).padStart(2, '0');
    return { data: `0x60${push}60005260206000f3` } as const;
  });

let evm: Evm;
let closers: Array<() => unknown>;
const rpc = (method: string, ...params: unknown[]) => evm.request({ method, params });

beforeEach(async () => {
  evm = await openEvm({ chainId: 1 });
  await rpc('hardhat_mine', '0x3');
  closers = [() => evm.close()];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

async function openNode({ refuseBatch, refuse }: Habits = {}): Promise<RpcServer> {
  const server = await openRpcServer({
    async handle(text) {
      const message: Message | Message[] = JSON.parse(text);
      const requests = Array.isArray(message) ? message : [message];
      const error = refuseBatch?.(requests.length);
      if (error !== undefined) return JSON.stringify({ jsonrpc: '2.0', id: null, error });
      const answers = JSON.parse(await evm.handle(JSON.stringify(requests)));
      for (const [position, request] of requests.entries()) {
        const refusal = refuse?.(request, position);
        if (refusal === undefined) continue;
        answers[position] = { jsonrpc: '2.0', id: request.id, error: refusal };
      }
      return JSON.stringify(Array.isArray(message) ? answers : answers[0]);
    },
  });
  closers.push(server.close);
  return server;
}

async function openReader(...nodes: RpcServer[]): Promise<ChainReader> {
  const { reader, close } = openChainReader({ urls: nodes.map(({ url }) => url) });
  closers.push(close);
  return reader;
}

async function readAll(reader: ChainReader, count: number): Promise<bigint[]> {
  const block = await reader.latestBlock();
  const outcomes = await reader.call(numbered(count), { block });
  return outcomes.map((outcome) => {
    if (outcome.status !== 'returned') throw new Error(`not answered: ${outcome.status}`);
    return BigInt(outcome.data);
  });
}

it('sends single requests to a node that accepts no batches, and remembers it [Q11]', async () => {
  const sizes: number[] = [];
  const node = await openNode({
    refuseBatch(size) {
      sizes.push(size);
      return size > 1 ? { code: -32600, message: 'invalid request' } : undefined;
    },
  });
  const reader = await openReader(node);
  expect(await readAll(reader, 3)).toEqual([1n, 2n, 3n]);
  sizes.length = 0;
  expect(await readAll(reader, 3)).toEqual([1n, 2n, 3n]);
  expect(sizes).toEqual([1, 1, 1, 1, 1]);
});

it('halves its batches until a node accepts them, and remembers the size [Q11]', async () => {
  const sizes: number[] = [];
  const node = await openNode({
    refuseBatch(size) {
      sizes.push(size);
      return size > 4 ? { code: -32000, message: 'batch limit of 4 exceeded' } : undefined;
    },
  });
  const reader = await openReader(node);
  expect(await readAll(reader, 11)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n]);
  sizes.length = 0;
  await readAll(reader, 11);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
});

it('asks again for what did not fit into the answer to a batch [Q11]', async () => {
  const tooMuch = { code: -32003, message: 'response size exceeded' };
  const node = await openNode({ refuse: (_, position) => (position > 2 ? tooMuch : undefined) });
  const reader = await openReader(node);
  expect(await readAll(reader, 9)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
});

it('fails only the call whose answer alone exceeds the limit of the node', async () => {
  const tooMuch = { code: -32000, message: 'response size exceeded' };
  const isSecond = ({ params }: Message) => JSON.stringify(params).includes('0x6002');
  const node = await openNode({ refuse: (request) => (isSecond(request) ? tooMuch : undefined) });
  const reader = await openReader(node);
  const block = await reader.latestBlock();
  expect(await reader.call(numbered(3), { block })).toMatchObject([
    { status: 'returned' },
    { status: 'failed', reason: 'response size exceeded' },
    { status: 'returned' },
  ]);
});

it('honours a rate limit that is written as a JSON-RPC error [Q16]', async () => {
  const limiting = await openNode({ refuse: () => ({ code: -32005, message: 'limit exceeded' }) });
  const { reader, close } = openChainReader({ urls: [limiting.url], clock: createFakeClock() });
  closers.push(close);
  const limited = { details: { attempts: [{ reason: 'rate-limited' }] } };
  await expect(reader.latestBlock()).rejects.toMatchObject(limited);
  limiting.resetCounts();
  await expect(reader.latestBlock()).rejects.toMatchObject(limited);
  expect(limiting.requests).toBe(0);
});

it('reports that a node has no state overrides [Q17]', async () => {
  const tooMany = { code: -32602, message: 'too many arguments, want at most 2' };
  const node = await openNode({
    refuse: ({ params }) => (params.length > 2 ? tooMany : undefined),
  });
  const reader = await openReader(node);
  const block = await reader.latestBlock();
  const overriding = {
    to: contract,
    data: '0x',
    overrides: { [contract]: { code: '0x00' } },
  } as const;
  expect(await reader.call([overriding, ...numbered(1)], { block })).toMatchObject([
    { status: 'unsupported' },
    { status: 'returned' },
  ]);
});

describe('a node that knows blocks by number only', () => {
  const byNumber = ({ params }: Message) =>
    Object(params[1]).blockHash === undefined
      ? undefined
      : { code: -32602, message: 'invalid argument 1: cannot unmarshal object' };

  it('is read by number [Q16]', async () => {
    const reader = await openReader(await openNode({ refuse: byNumber }));
    expect(await readAll(reader, 2)).toEqual([1n, 2n]);
  });

  it('is detected even if it answers calls by hash with the state of the head [Q16]', async () => {
    const byHash = /\{"blockHash":"0x[0-9a-f]{64}","requireCanonical":true\}/g;
    const node = await openRpcServer({
      handle: (text) => evm.handle(text.replaceAll(byHash, '"latest"')),
    });
    closers.push(node.close);
    const reader = await openReader(node);
    const block = await reader.latestBlock();
    await rpc('evm_mine');
    const [outcome] = await reader.call([answerNumber], { block });
    expect(outcome).toMatchObject({ data: numberToHex(block.number, { size: 32 }) });
  });

  it('is not trusted about a block whose hash has changed [Q16]', async () => {
    const reader = await openReader(await openNode({ refuse: byNumber }));
    const { number } = await reader.latestBlock();
    const block = { number, hash: `0x${'ab'.repeat(32)}` } as const;
    await expect(reader.call(numbered(1), { block })).rejects.toMatchObject({
      details: { blockUnknown: true },
    });
  });
});

describe('a reorganisation', () => {
  async function reorganise(): Promise<void> {
    await rpc('evm_revert', snapshot);
    await rpc('hardhat_setCode', contract, '0x00');
    await rpc('evm_mine', 2_000_000_000);
  }
  let snapshot: unknown;
  beforeEach(async () => {
    snapshot = await rpc('evm_snapshot');
    await rpc('evm_mine');
  });

  it('voids reads of the block it takes away [Q16]', async () => {
    const reader = await openReader(await openNode());
    const block = await reader.latestBlock();
    await reorganise();
    await expect(reader.call(numbered(1), { block })).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      details: { blockUnknown: true, attempts: [{ reason: 'unknown-block' }] },
    });
  });
});
