import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Address } from '../../src/swap/model.ts';
import {
  MAX_TICK,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '../../src/swap/pools/concentrated/ticks.ts';
import { poolId } from '../../src/swap/pools/pool.ts';
import type { FlowPool } from './best-flow.ts';
import { findProgram } from './installed-programs.ts';

/** The pools of a chain at one block. */
export type RecordedGraph = {
  readonly chainId: number;
  readonly block: number;
  /** The token in which gas is paid. */
  readonly wrappedNative: Address;
  /** A token that is worth a dollar. */
  readonly dollar: Address;
  readonly tokens: readonly RecordedToken[];
  readonly pools: readonly FlowPool[];
  /** What a pool with ticks holds of its two tokens. */
  readonly balances: ReadonlyMap<Address, readonly [bigint, bigint]>;
};

export type RecordedToken = {
  readonly address: Address;
  readonly symbol: string;
  readonly decimals: number;
};

const ethereum = {
  chainId: 1,
  wrappedNative: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  dollar: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
};
const polygon = {
  chainId: 137,
  wrappedNative: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  dollar: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
};
const arbitrum = {
  chainId: 42161,
  wrappedNative: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  dollar: '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8',
};
const recorded = [
  { ...ethereum, block: 17_980_000 },
  { ...ethereum, block: 18_526_020 },
  { ...polygon, block: 42_053_000 },
  { ...polygon, block: 56_000_000 },
  { ...arbitrum, block: 89_111_000 },
];

/**
 * Graphs of real chains, which are kept beside the project: the pairs of Uniswap V2 and the pools of Uniswap V3 in them, with
 * those of forks. Curve is left out, because its rates were recorded as floats, and so is Trident, which we do not price.
 */
export function recordedGraphs(): RecordedGraph[] {
  return recorded.map((chain): RecordedGraph => {
    const file = `${findProgram('recordings')}/graphs/${chain.chainId}-${chain.block}.json.gz`;
    const pools = JSON.parse(gunzipSync(readFileSync(file)).toString()) as RecordedPool[];
    const priced = pools.filter(({ provider }) => provider !== 'Trident').flatMap(toState);
    const known = new Set(priced.flatMap(({ token0, token1 }) => [token0, token1]));
    const tokens = pools.flatMap(({ token0, token1 }) => [token0, token1]);
    const byAddress = new Map(tokens.map((token) => [token.address, token]));
    return {
      ...chain,
      wrappedNative: chain.wrappedNative as Address,
      dollar: chain.dollar as Address,
      tokens: [...byAddress.values()].filter(({ address }) => known.has(address)),
      pools: priced,
      balances: new Map(
        pools.map((pool) => [pool.address, [BigInt(pool.reserve0), BigInt(pool.reserve1)]]),
      ),
    };
  });
}

type RecordedPool = {
  readonly provider: string;
  readonly class: string;
  readonly address: Address;
  readonly token0: RecordedToken;
  readonly token1: RecordedToken;
  readonly fee: number;
  readonly reserve0: string;
  readonly reserve1: string;
  readonly liquidity: string;
  readonly sqrtPriceX96: string;
  readonly ticks: readonly (readonly [number, string])[];
};

const tickSpacings: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 };

function toState(pool: RecordedPool): FlowPool[] {
  const { address, token0, token1 } = pool;
  const common = {
    id: poolId(address),
    address,
    blockNumber: 1n,
    token0: token0.address,
    token1: token1.address,
  };
  if (pool.class === 'ConstantProductRPool') {
    const state = {
      reserve0: BigInt(pool.reserve0),
      reserve1: BigInt(pool.reserve1),
      feeNumerator: BigInt(Math.round((1 - pool.fee) * 10_000)),
      feeDenominator: 10_000n,
    };
    return [{ ...common, kind: 'constant-product', ...state }];
  }
  if (pool.class !== 'UniV3Pool') return [];
  const fee = Math.round(pool.fee * 1e6);
  const sqrtPriceX96 = BigInt(pool.sqrtPriceX96);
  if (sqrtPriceX96 < sqrtRatioAtTick(MIN_TICK)) return [];
  // The outermost two are no ticks: between those next to them the pool was read.
  const read = pool.ticks.slice(1, -1).map(([index]) => index);
  const ticks = pool.ticks.map(([index, net]) => ({ index, liquidityNet: BigInt(net) }));
  const state = {
    fee,
    tickSpacing: tickSpacings[fee] ?? 1,
    sqrtPriceX96,
    tick: tickAtSqrtRatio(sqrtPriceX96),
    liquidity: BigInt(pool.liquidity),
    ticks: ticks.filter(({ liquidityNet }) => liquidityNet !== 0n),
    lowestKnownTick: Math.max(MIN_TICK, Math.min(...read)),
    highestKnownTick: Math.min(MAX_TICK, Math.max(...read)),
  };
  return [{ ...common, kind: 'concentrated', ...state }];
}
