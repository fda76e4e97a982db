import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import type { ChainReader } from '../../src/swap/chain/chain-reader.ts';
import { SwapError } from '../../src/swap/model.ts';
import { openChainReader } from '../support/chain-reader.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { openRpcServer, type RpcFaults, type RpcServer } from '../support/rpc-server.ts';

/** NUMBER PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN */
const answerNumber = { data: '0x4360005260206000f3' } as const;

let evm: Evm;
let first: RpcServer;
let second: RpcServer;
/** A fake clock: endpoints become slow, or get another chance, only when a test advances it. */
let clock: FakeClock;
let closers: Array<() => Promise<void>>;

beforeAll(async () => {
  evm = await openEvm({ chainId: 1 });
  await evm.request({ method: 'hardhat_mine', params: ['0x14'] });
});
afterAll(() => evm.close());
beforeEach(async () => {
  clock = createFakeClock();
  [first, second] = await Promise.all([openRpcServer(evm), openRpcServer(evm)]);
  closers = [first.close, second.close];
});
afterEach(() => Promise.all(closers.map((close) => close())));

function open(options: { urls: readonly string[] }): ChainReader {
  const { reader, close } = openChainReader({ ...options, clock });
  closers.push(close);
  return reader;
}

async function readNumber(reader: ChainReader): Promise<bigint[]> {
  const block = await reader.latestBlock();
  const [outcome] = await reader.call([answerNumber], { block });
  if (outcome?.status !== 'returned')
    throw new Error(`the call was not answered: ${outcome?.status}`);
  return [block.number, BigInt(outcome.data)];
}

/** Advances the clock once the first endpoint hangs on its request. */
async function passWhileFirstHangs(milliseconds: number): Promise<void> {
  await expect.poll(() => first.requests).toBe(1);
  clock.advance(milliseconds);
}

const faults: Record<string, RpcFaults> = {
  'wrong-chain': { chainId: 10 },
  garbage: { instead: 'garbage' },
  status: { instead: 'server-error' },
  'rate-limited': { instead: 'too-many-requests' },
  connection: { instead: 'half-body' },
  slow: { instead: 'hang' },
};

describe.each(Object.entries(faults))('an endpoint that fails (%s)', (reason, fault) => {
  it('is passed over, and left out the next time [Q16]', async () => {
    first.misbehave(fault);
    const reader = open({ urls: [first.url, second.url] });
    const reading = readNumber(reader);
    if (reason === 'slow') await passWhileFirstHangs(500);
    expect(await reading).toEqual([20n, 20n]);
    first.resetCounts();
    expect(await readNumber(reader)).toEqual([20n, 20n]);
    expect(first.requests).toBe(0);
  });

  it('is named with its reason when no other is left [Q2]', async () => {
    first.misbehave(fault);
    const reader = open({ urls: [`${first.url}/v2/path-key?token=query-key`] });
    const reading = reader.latestBlock().catch((thrown: unknown) => thrown);
    if (reason === 'slow') await passWhileFirstHangs(10_000);
    const error = await reading;
    expect(error).toBeInstanceOf(SwapError);
    expect(error).toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringMatching(/^The RPC endpoint of chain 1 gave no usable answer: see the/),
      details: {
        chainId: 1,
        attempts: [
          {
            endpoint: first.url,
            // An endpoint without others to compare with is never slow: if it hangs, the time budget runs out.
            reason: reason === 'slow' ? 'timeout' : reason,
            message: expect.any(String),
          },
        ],
      },
    });
    const { message, details, cause } = error as SwapError;
    expect(JSON.stringify([message, details, String(cause)])).not.toMatch(/path-key|query-key/);
  });
});

it('skips an endpoint that lags behind the others [Q16]', async () => {
  first.misbehave({ lag: 10 });
  const reader = open({ urls: [first.url, second.url] });
  expect(await readNumber(reader)).toEqual([20n, 20n]);
  first.resetCounts();
  expect(await readNumber(reader)).toEqual([20n, 20n]);
  expect(first.requests).toBe(0);
});

it('does not fall back to an endpoint known to lie behind when the others die [Q16]', async () => {
  first.misbehave({ lag: 10 });
  const reader = open({ urls: [first.url, second.url] });
  await readNumber(reader);
  await second.close();
  await expect(reader.latestBlock()).rejects.toMatchObject({
    message: expect.stringMatching(/^None of the 2 RPC endpoints of chain 1 gave a usable answer:/),
    details: { attempts: [{ reason: 'lagging' }, { reason: 'connection' }] },
  });
});

it('finishes a quote elsewhere when its endpoint dies between two reads [Q16]', async () => {
  const reader = open({ urls: [first.url, second.url] });
  const block = await reader.latestBlock();
  await first.close();
  const [outcome] = await reader.call([answerNumber], { block });
  expect(outcome).toMatchObject({ status: 'returned' });
});

it('does not ask an endpoint that limits it again, not even as the last one left', async () => {
  first.misbehave({ instead: 'too-many-requests' });
  const reader = open({ urls: [first.url] });
  await expect(reader.latestBlock()).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
  first.resetCounts();
  await expect(reader.latestBlock()).rejects.toMatchObject({
    details: { attempts: [{ reason: 'rate-limited', message: /^not asked until / }] },
  });
  expect(first.requests).toBe(0);
});

it('asks the chain of this server again that says too much was asked of it [F37]', async () => {
  first.misbehave({ instead: 'too-many-requests' });
  const { reader, close } = openChainReader({ urls: [first.url], clock, isOurs: true });
  closers.push(close);
  for (let times = 0; times < 5; times += 1) {
    await expect(reader.latestBlock()).rejects.toMatchObject({
      details: { attempts: [{ reason: 'error' }] },
    });
  }
  expect(first.requests).toBe(5);
  first.behave();
  expect((await reader.latestBlock()).number).toBe(20n);
});

it('asks an endpoint again that broke off an answer when there is no other', async () => {
  first.misbehave({ instead: 'half-body' });
  const reader = open({ urls: [first.url] });
  await expect(reader.latestBlock()).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
  first.behave();
  expect((await reader.latestBlock()).number).toBe(20n);
});

it('says what to set when a chain has no endpoint at all', async () => {
  await expect(open({ urls: [] }).latestBlock()).rejects.toThrow('TRADEWIND_RPC_1');
});

it('never repeats a password of an endpoint [Q2]', async () => {
  const url = first.url.replace('http://', 'http://user:pass-key@');
  first.misbehave({ instead: 'server-error' });
  const error = await open({ urls: [url] })
    .latestBlock()
    .catch((thrown: SwapError) => thrown);
  const { message, details } = error as SwapError;
  expect(details).toMatchObject({ attempts: [{ endpoint: first.url }] });
  expect(JSON.stringify([message, details])).not.toContain('pass-key');
});
