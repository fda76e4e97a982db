import type { Position } from '../../src/devchain/pools/add-concentrated-pool.ts';
import type { Address } from '../../src/swap/model.ts';
import type { ConcentratedState } from '../../src/swap/pools/concentrated/concentrated-pool.ts';
import {
  MAX_TICK,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '../../src/swap/pools/concentrated/ticks.ts';
import type { ConstantProductState } from '../../src/swap/pools/constant-product.ts';
import { poolId } from '../../src/swap/pools/pool.ts';

export type Token = {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly usd: number;
};

/** The two kinds of pool that the peers support. */
export type UniswapState = ConstantProductState | ConcentratedState;

/** Pools in memory. `ranges` has what the state of a concentrated pool does not contain. */
export type PoolSet = {
  readonly tokens: readonly Token[];
  readonly pools: readonly UniswapState[];
  readonly ranges: ReadonlyMap<Address, RangeOrigin>;
};

export type RangeOrigin = {
  /** The pool's balances of its two tokens. tines needs them. */
  readonly balances: readonly [bigint, bigint];
  /** The minted positions, to create the same pool on a chain. */
  readonly positions: readonly Position[];
};

export function numberedAddress(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}` as Address;
}

export function units(token: Token, amount: number): bigint {
  return (BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(token.decimals)) / 1_000_000n;
}

/** A Uniswap V2 pair that holds `usd` dollars of each token. */
export function makePair(
  address: Address,
  a: { token: Token; usd: number },
  b: { token: Token; usd: number },
): ConstantProductState {
  const [first, second] = BigInt(a.token.address) < BigInt(b.token.address) ? [a, b] : [b, a];
  return {
    kind: 'constant-product',
    id: poolId(address),
    address,
    blockNumber: 1n,
    token0: first.token.address,
    token1: second.token.address,
    reserve0: units(first.token, first.usd / first.token.usd),
    reserve1: units(second.token, second.usd / second.token.usd),
    feeNumerator: 997n,
    feeDenominator: 1000n,
  };
}

const tickSpacings: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 };

/**
 * A Uniswap V3 pool with positions of growing width around its price, as the position manager would
 * mint them for `usd` dollars in all.
 */
export function makeRangePool(pool: {
  address: Address;
  tokens: readonly [Token, Token];
  fee: number;
  usd: number;
  /** The price relative to the dollar prices of the tokens. */
  skew: number;
  random: () => number;
}): RangeOrigin & { state: ConcentratedState } {
  const { address, fee, usd, skew, random } = pool;
  const [a, b] = pool.tokens;
  const [x, y] = BigInt(a.address) < BigInt(b.address) ? [a, b] : [b, a];
  const tickSpacing = tickSpacings[fee] ?? 1;
  const numerator = BigInt(Math.round(x.usd * skew * 1e9)) * 10n ** BigInt(y.decimals);
  const denominator = BigInt(Math.round(y.usd * 1e9)) * 10n ** BigInt(x.decimals);
  const sqrtPriceX96 = squareRoot((numerator << 192n) / denominator);
  const tick = tickAtSqrtRatio(sqrtPriceX96);
  const center = Math.round(tick / tickSpacing) * tickSpacing;
  const netAtTick = new Map<number, bigint>();
  const balances: [bigint, bigint] = [0n, 0n];
  const positions: Position[] = [];
  let liquidity = 0n;
  for (const { width, share } of fee === 100 ? stableSpans : spans) {
    const lower = center - tickSpacing * (width + Math.floor((random() * width) / 2));
    const upper = center + tickSpacing * (width + Math.floor((random() * width) / 2));
    const [low, high] = [sqrtRatioAtTick(lower), sqrtRatioAtTick(upper)];
    const amount0 = units(x, (usd * share) / 2 / x.usd);
    const amount1 = units(y, (usd * share) / 2 / y.usd);
    const from0 = (amount0 * ((sqrtPriceX96 * high) >> 96n)) / (high - sqrtPriceX96);
    const from1 = (amount1 << 96n) / (sqrtPriceX96 - low);
    const minted = from0 < from1 ? from0 : from1;
    liquidity += minted;
    netAtTick.set(lower, (netAtTick.get(lower) ?? 0n) + minted);
    netAtTick.set(upper, (netAtTick.get(upper) ?? 0n) - minted);
    balances[0] += ((minted << 96n) * (high - sqrtPriceX96)) / high / sqrtPriceX96 + 1n;
    balances[1] += ((minted * (sqrtPriceX96 - low)) >> 96n) + 1n;
    positions.push({ tickLower: lower, tickUpper: upper, amount0, amount1 });
  }
  const word = Math.floor(tick / tickSpacing) >> 8;
  const state: ConcentratedState = {
    kind: 'concentrated',
    id: poolId(address),
    address,
    blockNumber: 1n,
    token0: x.address,
    token1: y.address,
    fee,
    tickSpacing,
    sqrtPriceX96,
    tick,
    liquidity,
    ticks: [...netAtTick]
      .sort(([left], [right]) => left - right)
      .map(([index, liquidityNet]) => ({ index, liquidityNet })),
    lowestKnownTick: Math.max((word - wordsRead) * 256 * tickSpacing, MIN_TICK),
    highestKnownTick: Math.min(((word + wordsRead) * 256 + 255) * tickSpacing, MAX_TICK),
  };
  return { state, balances, positions };
}

const wordsRead = 14;
const stableSpans = [
  { width: 2, share: 0.4 },
  { width: 10, share: 0.3 },
  { width: 100, share: 0.3 },
];
const spans = [10, 40, 200, 2000].map((width) => ({ width, share: 0.25 }));

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
