import { concat, encodeAbiParameters, parseAbi, toFunctionSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addConcentratedPool } from '../../src/devchain/pools/add-concentrated-pool.ts';
import { sortTokens } from '../../src/devchain/pools/add-constant-product-pool.ts';
import { createToken } from '../../src/devchain/tokens.ts';
import { compiledContracts } from '../../src/swap/chain/contracts/compiled-contracts.ts';
import { createPackedReader, writeCallsQuery } from '../../src/swap/chain/packed-calls.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import type {
  ConcentratedPool,
  ConcentratedState,
} from '../../src/swap/pools/concentrated/concentrated-pool.ts';
import { widerReach } from '../../src/swap/pools/concentrated/refresh.ts';
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from '../../src/swap/pools/concentrated/ticks.ts';
import type { ConstantProductState } from '../../src/swap/pools/constant-product.ts';
import { type Pool, poolId, type TickReach } from '../../src/swap/pools/pool.ts';
import { type PoolQuery, type PoolReading, readPools } from '../../src/swap/pools/read-pools.ts';
import { createPoolDiscovery } from '../../src/swap/quote/market/create-market-pools.ts';
import { openChainReader } from '../support/chain-reader.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { openRpcServer } from '../support/rpc-server.ts';

const constantProductAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
]);
const concentratedAbi = parseAbi([
  'function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
  'function fee() view returns (uint24)',
  'function tickSpacing() view returns (int24)',
  'function tickBitmap(int16) view returns (uint256)',
  'function ticks(int24) view returns (uint128, int128, uint256, uint256, int56, uint160, uint32, bool)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
]);

let world: World;
beforeAll(async () => {
  world = await openWorld({ isPatient: true });
});
afterAll(() => world.close());

type UniswapState = ConstantProductState | ConcentratedState;

const isState = (reading: PoolReading): reading is UniswapState => typeof reading === 'object';
/** Pools of V4 are not contracts of their own; the tests of the manager cover them. */
const isContract = ({ kind }: { kind: string }) => kind !== 'uniswap-v4';

/** The state as the pool itself returns it, call by call. */
async function askPool(state: UniswapState): Promise<UniswapState> {
  const { client } = world;
  const { address, blockNumber } = state;
  if (state.kind === 'constant-product') {
    const read = { address, abi: constantProductAbi, blockNumber } as const;
    const [reserve0, reserve1] = await client.readContract({
      ...read,
      functionName: 'getReserves',
    });
    const token0 = parseAddress(await client.readContract({ ...read, functionName: 'token0' }));
    const token1 = parseAddress(await client.readContract({ ...read, functionName: 'token1' }));
    return {
      ...state,
      token0,
      token1,
      reserve0,
      reserve1,
      feeNumerator: 997n,
      feeDenominator: 1000n,
    };
  }
  const read = { address, abi: concentratedAbi, blockNumber } as const;
  const [sqrtPriceX96, tick] = await client.readContract({ ...read, functionName: 'slot0' });
  const tickSpacing = await client.readContract({ ...read, functionName: 'tickSpacing' });
  const asked = {
    ...state,
    token0: parseAddress(await client.readContract({ ...read, functionName: 'token0' })),
    token1: parseAddress(await client.readContract({ ...read, functionName: 'token1' })),
    sqrtPriceX96,
    tick,
    tickSpacing,
    liquidity: await client.readContract({ ...read, functionName: 'liquidity' }),
    fee: await client.readContract({ ...read, functionName: 'fee' }),
  };
  return { ...asked, ticks: await askTicks(asked) };
}

async function askTicks(state: ConcentratedState): Promise<ConcentratedState['ticks']> {
  const read = { address: state.address, abi: concentratedAbi } as const;
  const wordOf = (tick: number) => Math.floor(tick / state.tickSpacing) >> 8;
  const ticks: { index: number; liquidityNet: bigint }[] = [];
  for (
    let word = wordOf(state.lowestKnownTick);
    word <= wordOf(state.highestKnownTick);
    word += 1
  ) {
    const args = [word] as const;
    const bitmap = await world.client.readContract({ ...read, functionName: 'tickBitmap', args });
    for (let bit = 0; bit < 256; bit += 1) {
      if (((bitmap >> BigInt(bit)) & 1n) === 0n) continue;
      const index = (word * 256 + bit) * state.tickSpacing;
      const tick = await world.client.readContract({
        ...read,
        functionName: 'ticks',
        args: [index],
      });
      ticks.push({ index, liquidityNet: tick[1] });
    }
  }
  return ticks;
}

/** A pool with these positions, whose bounds count tick spacings below and above the middle. */
async function createPool(options: {
  fee: 100 | 500 | 3000 | 10000;
  tickSpacing: number;
  tick: number;
  positions: readonly (readonly [lower: number, upper: number])[];
}): Promise<ConcentratedPool> {
  const { fee, tickSpacing, tick, positions } = options;
  const symbols = [`A${fee}${tick}`, `B${fee}${tick}`] as const;
  const [one, other] = await Promise.all(
    symbols.map((symbol) => createToken(world.evm, { name: symbol, symbol, decimals: 18 })),
  );
  const [token0, token1] = sortTokens(one!.address, other!.address);
  const amount = 10n ** 24n;
  const sqrtPriceX96 = sqrtRatioAtTick(tick);
  let address = '';
  // A hundred positions need more gas than one transaction may use.
  for (let start = 0; start < positions.length; start += 50) {
    const part = positions.slice(start, start + 50).map(([lower, upper]) => ({
      tickLower: lower * tickSpacing,
      tickUpper: upper * tickSpacing,
      amount0: amount,
      amount1: amount,
    }));
    const pool = { token0, token1, fee, sqrtPriceX96, positions: part };
    address = await addConcentratedPool(world.evm, pool);
  }
  return {
    kind: 'concentrated',
    exchange: 'uniswap-v3',
    id: poolId(parseAddress(address)),
    address: parseAddress(address),
    token0: parseAddress(token0),
    token1: parseAddress(token1),
    tickSpacing,
  };
}

async function readOne(pool: ConcentratedPool, reach?: TickReach): Promise<ConcentratedState> {
  const block = await world.reader.latestBlock();
  const query = reach === undefined ? { pool } : { pool, reach };
  const reading = (await readPools(world.reader, { queries: [query], block })).get(pool.id)!;
  if (!isState(reading) || reading.kind !== 'concentrated') throw new Error(`read ${reading}`);
  return reading;
}

describe('reading pools', () => {
  it('reads ticks around a negative price, over several words and both ends of a word', async () => {
    const pool = await createPool({
      fee: 500,
      tickSpacing: 10,
      tick: -25_605,
      positions: [
        [-2561, -2560],
        [-2816, -2305],
        [-2817, -2304],
        [-3000, -2000],
        [-2562, -2559],
      ],
    });
    const state = await readOne(pool);
    expect(state.ticks.length).toBeGreaterThan(6);
    expect(state).toEqual(await askPool(state));
  });

  it('reads as far as it is told to, says how far that was, and reaches the ends in few steps', async () => {
    const pool = await createPool({
      fee: 3000,
      tickSpacing: 60,
      tick: 0,
      positions: [
        [-14_787, 14_787],
        [-1000, 1000],
        [-300, 700],
        [-5, 5],
      ],
    });
    const near = await readOne(pool, { wordsBelow: 0, wordsAbove: 1, ticksPerSide: 1000 });
    expect([near.lowestKnownTick, near.highestKnownTick]).toEqual([0, 511 * 60]);
    expect(near).toEqual(await askPool(near));
    let far = near;
    for (let step = 0; step < 4; step += 1) far = await readOne(pool, widerReach(far));
    expect([far.lowestKnownTick, far.highestKnownTick]).toEqual([MIN_TICK, MAX_TICK]);
    expect(far.ticks).toHaveLength(8);
    expect(far).toEqual(await askPool(far));
  });

  it('stops on a side once it has ticks enough', async () => {
    const pool = await createPool({
      fee: 100,
      tickSpacing: 1,
      tick: 128,
      positions: [
        [100, 150],
        [-100, 400],
        [-400, 700],
        [-900, 1200],
      ],
    });
    const state = await readOne(pool, { wordsBelow: 20, wordsAbove: 20, ticksPerSide: 2 });
    expect([state.lowestKnownTick, state.highestKnownTick]).toEqual([-256, 511]);
    expect(state).toEqual(await askPool(state));
  });

  it('reads a pool of hundreds of ticks beside many others, and misses none', async () => {
    const spans = Array.from({ length: 200 }, (_, index) => [-1 - index, 1 + index] as const);
    const busy = await createPool({ fee: 500, tickSpacing: 10, tick: 5, positions: spans });
    const { reader, deployment, token } = world;
    const block = await reader.latestBlock();
    const reach = { wordsBelow: 9, wordsAbove: 9, ticksPerSide: 9999 };
    const copies = Array.from({ length: 4 }, () => ({ pool: busy, reach }));
    const others = createPoolDiscovery(deployment)([token('UNI'), token('MKR')]).map((pool) => ({
      pool,
    }));
    const readings = await readPools(reader, { queries: [...copies, ...others], block });
    const state = readings.get(busy.id) as ConcentratedState;
    expect(state.ticks).toHaveLength(400);
    expect(state).toEqual(await askPool(state));
    for (const { pool } of others) expect(readings.get(pool.id)).toBeDefined();
  });

  it('reads as much through a node that gives a call little gas [Q11]', async () => {
    const { evm, reader, deployment, token } = world;
    const queries = createPoolDiscovery(deployment)([token('UNI'), token('MKR')]).map((pool) => ({
      pool,
    }));
    const block = await reader.latestBlock();
    const frugal = await openRpcServer({
      // 1.5 million gas, while go-ethereum gives fifty million.
      handle: (text) => evm.handle(text.replaceAll('{"data":', '{"gas":"0x16e360","data":')),
    });
    const { reader: frugalReader, close } = openChainReader({ urls: [frugal.url] });
    const readings = await readPools(frugalReader, { queries, block });
    expect(frugal.requests).toBeGreaterThan(1);
    expect(readings).toEqual(await readPools(reader, { queries, block }));
    await close();
    await frugal.close();
  });

  it('distinguishes a missing pool from a contract that does not behave like one', async () => {
    const { reader, evm, deployment, token } = world;
    const pools = createPoolDiscovery(deployment)([token('UNI'), token('MKR')]);
    const like = {
      concentrated: pools.find(({ kind }) => kind === 'concentrated')!,
      constantProduct: pools.find(({ kind }) => kind === 'constant-product')!,
    };
    const place = async (pool: Pool, byte: string, code: string): Promise<PoolQuery> => {
      const address = `0x${byte.repeat(20)}` as Address;
      await evm.request({ method: 'hardhat_setCode', params: [address, code] });
      return { pool: { ...pool, id: poolId(address), address } };
    };
    // A revert, a stop, an endless loop, and a megabyte of zeros.
    const odd = ['0x60006000fd', '0x00', '0x5b600056', '0x621000006000f3'];
    const concentrated = await Promise.all(
      odd.map((code, index) => place(like.concentrated, `e${index}`, code)),
    );
    const constantProduct = await Promise.all(
      odd.map((code, index) => place(like.constantProduct, `d${index}`, code)),
    );
    const nowhere = await place(like.constantProduct, 'c0', '0x');
    const block = await reader.latestBlock();
    const queries = [...concentrated, ...constantProduct, nowhere];
    const readings = await readPools(reader, { queries, block });
    expect([...readings.values()]).toEqual([...Array(8).fill('unreadable'), 'absent']);
  });

  it('finds every pool between two tokens and reads what each says of itself, in one round trip and without Multicall3 [Q11] [Q13]', async () => {
    const { reader, server, deployment, pools, token } = world;
    await world.removeMulticall3();
    const candidates = createPoolDiscovery(deployment)([token('UNI'), token('TAX')]);
    const block = await reader.latestBlock();
    server.resetCounts();
    const readings = await readPools(reader, {
      queries: candidates.map((pool) => ({ pool })),
      block,
    });
    expect(server.requests).toBe(1);

    const states = [...readings.values()].filter(isState);
    const between = new Set([token('UNI'), token('TAX'), ...deployment.baseTokens]);
    const expected = pools.filter(({ tokens }) =>
      tokens.every((one) => between.has(parseAddress(one))),
    );
    expect(new Set(states.map(({ address }) => address))).toEqual(
      new Set(expected.map(({ address }) => parseAddress(address))),
    );
    expect(readings.size).toBe(candidates.length);
    for (const state of states) {
      if (isContract(state)) expect(state).toEqual(await askPool(state));
      expect(state.blockNumber).toBe(block.number);
    }
  });

  it('reads the words of any getters, and distinguishes a missing contract from one that reverts [Q27]', async () => {
    const { reader, token, client } = world;
    const getter = (to: Address, name: string, words: number) => ({
      to,
      data: toFunctionSelector(`${name}()`),
      words,
    });
    const nobody = `0x${'e9'.repeat(20)}` as Address;
    const [weth, usdc] = [token('WETH'), token('USDC')];
    const packed = concat([
      writeCallsQuery(weth, [getter(weth, 'decimals', 1), getter(usdc, 'decimals', 1)]),
      writeCallsQuery(nobody, [getter(weth, 'decimals', 1)]),
      writeCallsQuery(weth, [getter(weth, 'decimals', 1), getter(weth, 'decimals', 2)]),
      writeCallsQuery(usdc, [getter(usdc, 'totalSupply', 1)]),
    ]);
    const input = encodeAbiParameters([{ type: 'bytes' }], [packed]);
    const [outcome] = await reader.call([{ data: concat([compiledContracts.PoolReader, input]) }], {
      block: await reader.latestBlock(),
    });
    if (outcome?.status !== 'returned') throw new Error('the call failed');
    const answer = createPackedReader(outcome.data);
    const supply = await client.readContract({
      address: usdc,
      abi: parseAbi(['function totalSupply() view returns (uint256)']),
      functionName: 'totalSupply',
    });
    expect([answer.number(1), answer.number(1)]).toEqual([1, 1]);
    expect([answer.unsigned(32), answer.unsigned(32)]).toEqual([18n, 6n]);
    expect([answer.number(1), answer.number(1)]).toEqual([0, 2]);
    expect([answer.number(1), answer.unsigned(32)]).toEqual([1, supply]);
    expect(answer.remaining()).toBe(0);
  });
});
