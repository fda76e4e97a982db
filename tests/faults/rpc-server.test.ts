import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';

let evm: Evm;
let server: RpcServer;

beforeAll(async () => {
  evm = await openEvm({ chainId: 1 });
  await evm.request({ method: 'hardhat_mine', params: ['0x5'] });
});
afterAll(() => evm.close());
beforeEach(async () => {
  server = await openRpcServer(evm);
});
afterEach(() => server.close());

const call = (id: number, method: string, params: unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const post = (body: unknown, signal: AbortSignal | null = null) =>
  fetch(server.url, { method: 'POST', body: JSON.stringify(body), signal });

it('answers like the chain and counts requests and calls', async () => {
  const batch = [call(1, 'eth_chainId'), call(2, 'eth_blockNumber'), call(3, 'eth_chainId')];
  expect(await (await post(batch)).json()).toMatchObject([
    { id: 1, result: '0x1' },
    { id: 2, result: '0x5' },
    { id: 3, result: '0x1' },
  ]);
  expect(server.requests).toBe(1);
  expect(Object.fromEntries(server.calls)).toEqual({ eth_chainId: 2, eth_blockNumber: 1 });
  server.resetCounts();
  expect([server.requests, server.calls.size]).toEqual([0, 0]);
});

it('claims another chain id', async () => {
  server.misbehave({ chainId: 10 });
  expect(await (await post(call(1, 'eth_chainId'))).json()).toMatchObject({ result: '0xa' });
  server.behave();
  expect(await (await post(call(1, 'eth_chainId'))).json()).toMatchObject({ result: '0x1' });
});

it('lags behind the head and knows nothing of later blocks', async () => {
  server.misbehave({ lag: 2 });
  const address = '0x00000000000000000000000000000000000000aa';
  const batch = [
    call(1, 'eth_blockNumber'),
    call(2, 'eth_getBlockByNumber', ['latest', false]),
    call(3, 'eth_getBlockByNumber', ['0x4', false]),
    call(4, 'eth_getBalance', [address, '0x3']),
    call(5, 'eth_getBalance', [address, '0x4']),
    call(6, 'eth_chainId'),
  ];
  expect(await (await post(batch)).json()).toMatchObject([
    { id: 1, result: '0x3' },
    { id: 2, result: { number: '0x3' } },
    { id: 3, result: null },
    { id: 4, result: '0x0' },
    { id: 5, error: { code: -32000 } },
    { id: 6, result: '0x1' },
  ]);
});

it('answers too many requests, a server error or garbage', async () => {
  server.misbehave({ instead: 'too-many-requests' });
  expect((await post(call(1, 'eth_chainId'))).status).toBe(429);
  server.misbehave({ instead: 'server-error' });
  expect((await post(call(1, 'eth_chainId'))).status).toBe(500);
  server.misbehave({ instead: 'garbage' });
  await expect((await post(call(1, 'eth_chainId'))).json()).rejects.toThrow(SyntaxError);
});

it('dies in the middle of a body', async () => {
  server.misbehave({ instead: 'half-body' });
  const response = await post(call(1, 'eth_chainId'));
  await expect(response.text()).rejects.toThrow('terminated');
});

it('hangs until the caller gives up, and after a delay answers', async () => {
  server.misbehave({ instead: 'hang' });
  await expect(post(call(1, 'eth_chainId'), AbortSignal.timeout(20))).rejects.toThrow('timeout');
  server.misbehave({ delay: 20 });
  await expect(post(call(1, 'eth_chainId'), AbortSignal.timeout(5))).rejects.toThrow('timeout');
  expect((await post(call(1, 'eth_chainId'))).status).toBe(200);
});
