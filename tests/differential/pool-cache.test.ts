import { encodeFunctionData, maxUint256, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { liquidityProvider, sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { uniswapDeployment as uniswap } from '../../src/devchain/known-exchanges.ts';
import { addConstantProductPool } from '../../src/devchain/pools/add-constant-product-pool.ts';
import { giveTokens } from '../../src/devchain/tokens.ts';
import type { Clock } from '../../src/kernel/wait/clock.ts';
import { SwapError } from '../../src/swap/model.ts';
import {
  createPoolCache,
  keepPoolsWarm,
  type PoolCache,
} from '../../src/swap/pools/cache/create-pool-cache.ts';
import { type PoolQuery, readPools } from '../../src/swap/pools/read-pools.ts';
import { createPoolDiscovery } from '../../src/swap/quote/market/create-market-pools.ts';
import { openWorld, type World } from '../support/open-world.ts';

const abi = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96)) payable returns (uint256)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256)',
  'function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline)) payable returns (uint256, uint256)',
  'function positions(uint256 tokenId) view returns (uint96, address, address token0, address token1, uint24 fee, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint position) returns (uint256, uint128, uint256, uint256)',
  'function totalSupply() view returns (uint256)',
]);
const trader = testAccounts[0]!.address;

let world: World;
let queries: PoolQuery[];
let base: unknown;
let now = 0;
const clock: Clock = {
  now: () => now,
  elapsed: () => now,
  sleep: async () => {},
  turn: async () => {},
};
let cache: PoolCache;

beforeAll(async () => {
  world = await openWorld({ isPatient: true });
  const { evm, deployment, token } = world;
  queries = createPoolDiscovery(deployment)([token('UNI'), token('WBTC')]).map((pool) => ({
    pool,
  }));
  const holders = [liquidityProvider];
  await giveTokens(evm, { token: token('USDC'), holders, amount: 10n ** 13n });
  await giveTokens(evm, { token: token('WETH'), holders, amount: 10n ** 21n });
  for (const symbol of ['WETH', 'USDC', 'DAI', 'UNI']) {
    const args = [uniswap.swapRouter02, maxUint256] as const;
    const data = encodeFunctionData({ abi, functionName: 'approve', args });
    await sendTransaction(evm, { from: trader, to: token(symbol), data });
  }
});
afterAll(() => world.close());
beforeEach(async () => {
  base = await world.evm.request({ method: 'evm_snapshot' });
  cache = createPoolCache({ reader: world.reader, clock, capacity: 1000, lifetimeMs: 60_000 });
});
afterEach(() => world.evm.request({ method: 'evm_revert', params: [base] }));

/** Reads through the cache at the head. Returns the requests to the node. */
async function readHead(): Promise<{ requests: number; calls: Record<string, number> }> {
  const block = await world.reader.latestBlock();
  world.server.resetCounts();
  const readings = await cache.readAt(block, queries);
  const counts = { requests: world.server.requests, calls: Object.fromEntries(world.server.calls) };
  expect(readings).toEqual(await readPools(world.reader, { queries, block }));
  return counts;
}

async function swapConcentrated(
  tokenIn: string,
  tokenOut: string,
  amountIn: bigint,
): Promise<void> {
  const params = {
    tokenIn: world.token(tokenIn),
    tokenOut: world.token(tokenOut),
    fee: 3000,
    recipient: trader,
    amountIn,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  };
  const data = encodeFunctionData({ abi, functionName: 'exactInputSingle', args: [params] });
  await sendTransaction(world.evm, { from: trader, to: uniswap.swapRouter02, data });
}

async function swapConstantProduct(tokenIn: string, tokenOut: string, amountIn: bigint) {
  const path = [world.token(tokenIn), world.token(tokenOut)];
  const args = [amountIn, 0n, path, trader] as const;
  const data = encodeFunctionData({ abi, functionName: 'swapExactTokensForTokens', args });
  await sendTransaction(world.evm, { from: trader, to: uniswap.swapRouter02, data });
}

/** Adds liquidity to WETH/USDC 0.3% between two ticks, in a block of its own. */
async function addPosition(tickLower: number, tickUpper: number): Promise<void> {
  const position = {
    token0: world.token('USDC'),
    token1: world.token('WETH'),
    fee: 3000,
    tickLower,
    tickUpper,
    amount0Desired: 10n ** 10n,
    amount1Desired: 10n ** 19n,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: liquidityProvider,
    deadline: maxUint256,
  };
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [position] });
  await sendTransaction(world.evm, { from: liquidityProvider, to: uniswap.positionManager, data });
}

const readManager = { address: uniswap.positionManager, abi } as const;
async function removePosition(tokenId: bigint, part: bigint): Promise<void> {
  const { client, evm } = world;
  const position = await client.readContract({
    ...readManager,
    functionName: 'positions',
    args: [tokenId],
  });
  const liquidity = position[7] / part;
  const args = [
    { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 },
  ] as const;
  const data = encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args });
  await sendTransaction(evm, { from: liquidityProvider, to: uniswap.positionManager, data });
}
const lastPosition = () =>
  world.client.readContract({ ...readManager, functionName: 'totalSupply' });

describe('the pool cache', () => {
  it('asks for nothing twice at one block', async () => {
    expect((await readHead()).requests).toBe(1);
    expect((await readHead()).requests).toBe(0);
  });

  it('carries pools over to the next block by what they logged [Q16]', async () => {
    await readHead();
    await swapConcentrated('WETH', 'USDC', 10n ** 18n);
    expect(await readHead()).toEqual({ requests: 1, calls: { eth_getLogs: 1 } });
    await swapConstantProduct('USDC', 'WETH', 10n ** 10n);
    expect(await readHead()).toEqual({ requests: 1, calls: { eth_getLogs: 1 } });
  });

  it('follows liquidity that comes and goes at ticks [Q16]', async () => {
    await readHead();
    await addPosition(195_000, 198_000);
    expect((await readHead()).calls).toEqual({ eth_getLogs: 1 });
    await addPosition(192_000, 195_000);
    expect((await readHead()).calls).toEqual({ eth_getLogs: 1 });
    await removePosition(await lastPosition(), 2n);
    expect((await readHead()).calls).toEqual({ eth_getLogs: 1 });
  });

  it('reads a pool anew when a tick may have been emptied [Q16]', async () => {
    await addPosition(195_000, 198_000);
    await readHead();
    await removePosition(await lastPosition(), 1n);
    expect((await readHead()).calls).toEqual({ eth_getLogs: 1, eth_call: 1 });
  });

  it('reads everything anew over a gap of blocks [Q16]', async () => {
    await readHead();
    await swapConcentrated('WETH', 'USDC', 10n ** 18n);
    await swapConstantProduct('USDC', 'WETH', 10n ** 10n);
    expect((await readHead()).calls).not.toHaveProperty('eth_getLogs');
  });

  it('reads everything anew after a reorganisation [Q16]', async () => {
    await readHead();
    const before = await world.evm.request({ method: 'evm_snapshot' });
    await swapConcentrated('WETH', 'USDC', 10n ** 18n);
    await readHead();
    await world.evm.request({ method: 'evm_revert', params: [before] });
    await swapConcentrated('USDC', 'WETH', 10n ** 10n);
    await swapConcentrated('USDC', 'WETH', 10n ** 10n);
    await readHead();
  });

  it('finds a pool that has been created since', async () => {
    await readHead();
    await addConstantProductPool(world.evm, {
      tokens: [world.token('UNI'), world.token('WBTC')],
      reserves: [10n ** 20n, 10n ** 8n],
    });
    expect((await readHead()).calls).toEqual({ eth_getLogs: 1, eth_call: 1 });
  });

  it('does without logs where the node gives none', async () => {
    const { reader } = world;
    const refuse = () => Promise.reject(new SwapError('UPSTREAM_ERROR', 'no logs here'));
    const logless = { ...reader, logs: refuse };
    cache = createPoolCache({ reader: logless, clock, capacity: 1000, lifetimeMs: 60_000 });
    await readHead();
    await swapConcentrated('WETH', 'USDC', 10n ** 18n);
    await readHead();
  });

  it('shares one read between concurrent callers', async () => {
    const block = await world.reader.latestBlock();
    world.server.resetCounts();
    const [one, other] = await Promise.all([
      cache.readAt(block, queries),
      cache.readAt(block, queries.slice(3)),
    ]);
    expect(world.server.requests).toBe(1);
    expect(new Map([...one].slice(3))).toEqual(other);
  });

  it('reads a pool again for someone who needs more of its ticks, and keeps that', async () => {
    await readHead();
    const block = await world.reader.latestBlock();
    const pool = queries.find(({ pool: { kind } }) => kind === 'concentrated')!.pool;
    const wide = { pool, reach: { wordsBelow: 200, wordsAbove: 200, ticksPerSide: 500 } };
    world.server.resetCounts();
    const first = await cache.readAt(block, [wide]);
    expect(world.server.requests).toBe(1);
    expect(await cache.readAt(block, [wide])).toEqual(first);
    expect(await cache.readAt(block, [{ pool }])).toEqual(first);
    expect(world.server.requests).toBe(1);
  });

  it('tries again after a reading that failed', async () => {
    const block = await world.reader.latestBlock();
    world.server.misbehave({ instead: 'server-error' });
    await expect(cache.readAt(block, queries)).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    world.server.behave();
    expect((await cache.readAt(block, queries)).size).toBe(queries.length);
  });

  it('lets one caller give up without the others', async () => {
    const block = await world.reader.latestBlock();
    const controller = new AbortController();
    const abandoned = cache.readAt(block, queries, { signal: controller.signal });
    const kept = cache.readAt(block, queries);
    controller.abort(new Error('gave up'));
    await expect(abandoned).rejects.toThrow('gave up');
    expect((await kept).size).toBe(queries.length);
  });

  it('keeps as many pools as it may, for as long as they are used', async () => {
    cache = createPoolCache({ reader: world.reader, clock, capacity: 5, lifetimeMs: 1_000 });
    const block = await world.reader.latestBlock();
    await cache.readAt(block, queries);
    expect(cache.size).toBe(5);
    now += 600;
    await cache.readAt(block, queries.slice(-2));
    now += 600;
    await cache.advanceTo(block);
    expect(cache.size).toBe(2);
    now += 600;
    expect(cache.size).toBe(0);
  });

  it('agrees with the chain at every block of a busy while [Q13] [Q16]', async () => {
    await readHead();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const actions = [
      () => swapConcentrated('WETH', 'USDC', BigInt(1 + random(50)) * 10n ** 17n),
      () => swapConcentrated('USDC', 'WETH', BigInt(1 + random(50)) * 10n ** 9n),
      () => swapConstantProduct('UNI', 'WETH', BigInt(1 + random(50)) * 10n ** 17n),
      () => swapConstantProduct('DAI', 'USDC', BigInt(1 + random(50)) * 10n ** 18n),
      () => addPosition(60 * (3200 + random(80)), 60 * (3281 + random(80))),
      async () => removePosition((await lastPosition()) - BigInt(random(3)), BigInt(1 + random(3))),
    ];
    for (let step = 0; step < 25; step += 1) {
      // The removal of a position that is already gone fails, and the block stays the same.
      await actions[random(actions.length)]!().catch(() => {});
      await readHead();
    }
  });

  it('is advanced to each new block while its pools are in use, and no longer afterwards', async () => {
    const stop = new AbortController();
    const turns: Array<() => Promise<unknown>> = [];
    // Each sleep of the worker runs the next step of this test.
    const turning: Clock = {
      now: () => now,
      elapsed: () => now,
      async sleep() {
        const turn = turns.shift();
        if (turn !== undefined) return void (await turn());
        stop.abort();
      },
      turn: async () => {},
    };
    await readHead();
    turns.push(
      () => swapConcentrated('WETH', 'USDC', 10n ** 18n),
      async () => {
        expect((await readHead()).requests).toBe(0);
        now += 60_000;
        world.server.resetCounts();
      },
      async () => expect(world.server.requests).toBe(0),
    );
    const worker = keepPoolsWarm({ reader: world.reader, cache, clock: turning, pollMs: 1_000 });
    await worker.run(stop.signal);
    expect(turns).toEqual([]);
  });
});
