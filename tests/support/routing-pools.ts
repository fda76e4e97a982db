import fc from 'fast-check';
import type { Address } from '../../src/swap/model.ts';
import type { ConcentratedState } from '../../src/swap/pools/concentrated/concentrated-pool.ts';
import { sqrtRatioAtTick } from '../../src/swap/pools/concentrated/ticks.ts';
import type { ConstantProductState } from '../../src/swap/pools/constant-product.ts';
import { type PoolState, poolId } from '../../src/swap/pools/pool.ts';
import { simulateSwap } from '../../src/swap/pools/pool-kinds.ts';
import { concentratedPool, type Position } from './concentrated-pool.ts';

/** The token with this number; lower numbers sort first. */
export function token(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}` as Address;
}

function place(id = 0) {
  const address = token(0x1000 + id);
  return { id: poolId(address), address };
}

/** A constant-product pair between two numbered tokens, by default with Uniswap's fee. */
export function pair(
  tokens: readonly [number, number],
  reserves: readonly [bigint, bigint],
  settings: { id?: number; feeNumerator?: bigint } = {},
): ConstantProductState {
  return {
    kind: 'constant-product',
    ...place(settings.id),
    token0: token(tokens[0]),
    token1: token(tokens[1]),
    blockNumber: 1n,
    reserve0: reserves[0],
    reserve1: reserves[1],
    feeNumerator: settings.feeNumerator ?? 997n,
    feeDenominator: 1000n,
  };
}

/** A concentrated pool between two numbered tokens, by default with a fee of 0.3% at price one. */
export function rangePool(
  tokens: readonly [number, number],
  positions: readonly (readonly [tickLower: number, tickUpper: number, liquidity: bigint])[],
  settings: { id?: number; fee?: number; tickSpacing?: number; sqrtPriceX96?: bigint } = {},
): ConcentratedState {
  const pool = concentratedPool({
    fee: settings.fee ?? 3000,
    tickSpacing: settings.tickSpacing ?? 60,
    sqrtPriceX96: settings.sqrtPriceX96 ?? 1n << 96n,
    positions: positions.map(
      ([tickLower, tickUpper, liquidity]): Position => ({ tickLower, tickUpper, liquidity }),
    ),
  });
  return {
    ...pool,
    ...place(settings.id),
    token0: token(tokens[0]),
    token1: token(tokens[1]),
  };
}

/** The pool as if it had been read only so many ticks to both sides. */
export function cutAround(pool: ConcentratedState, distance: number): ConcentratedState {
  const [lowest, highest] = [pool.tick - distance, pool.tick + distance];
  return {
    ...pool,
    ticks: pool.ticks.filter(({ index }) => index >= lowest && index <= highest),
    lowestKnownTick: Math.max(lowest, pool.lowestKnownTick),
    highestKnownTick: Math.min(highest, pool.highestKnownTick),
  };
}

/**
 * Pools between tokens 1 to `tokenCount`, with sizes, decimals and prices far apart: some empty, some
 * with gaps, some exactly at a tick. Prices disagree by up to `disagreement`. If that exceeds the fees, closed
 * walks gain.
 */
export function arbitraryPools(
  tokenCount: number,
  poolCount: number,
  { disagreement = 0.01 }: { disagreement?: number } = {},
): fc.Arbitrary<PoolState[]> {
  // The value of a whole unit as a power of ten: decimals and prices differ wildly.
  const worths = fc.array(fc.integer({ min: -6, max: 6 }), {
    minLength: tokenCount,
    maxLength: tokenCount,
  });
  const sketches = fc.array(
    fc.record({
      ends: fc
        .tuple(fc.integer({ min: 1, max: tokenCount }), fc.integer({ min: 1, max: tokenCount }))
        .filter(([a, b]) => a !== b),
      isPair: fc.boolean(),
      skew: fc.integer({ min: -1000, max: 1000 }).map((n) => (n / 1000) * disagreement),
      size: fc.integer({ min: 1400, max: 2200 }).map((n) => n / 100),
      fee: fc.constantFrom(100, 500, 3000, 10000),
      isAtTick: fc.boolean(),
      spans: fc.array(
        fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 1, max: 60 })),
        {
          maxLength: 4,
        },
      ),
    }),
    { minLength: poolCount, maxLength: poolCount },
  );
  return fc.tuple(worths, sketches).map(([worth, drafts]) =>
    drafts.map((draft, id) => {
      const [a, b] =
        draft.ends[0] < draft.ends[1] ? draft.ends : ([draft.ends[1], draft.ends[0]] as const);
      const price = 10 ** ((worth[a - 1] ?? 0) - (worth[b - 1] ?? 0)) * (1 + draft.skew);
      const size = 10 ** draft.size;
      if (draft.isPair) {
        const reserves = [size / Math.sqrt(price), size * Math.sqrt(price)].map((reserve) =>
          BigInt(Math.floor(reserve)),
        );
        return pair([a, b], [reserves[0] ?? 0n, reserves[1] ?? 0n], { id });
      }
      const spacing = { 100: 1, 500: 10, 3000: 60, 10000: 200 }[draft.fee] ?? 1;
      const center = Math.round(Math.log(price) / Math.log(1.0001) / spacing) * spacing;
      const sqrtPriceX96 = draft.isAtTick
        ? sqrtRatioAtTick(center)
        : BigInt(Math.floor(Math.sqrt(price) * 2 ** 48)) << 48n;
      const positions = draft.spans.map(
        ([offset, width]) =>
          [
            center + offset * spacing,
            center + (offset + width) * spacing,
            BigInt(Math.floor(size / width)),
          ] as const,
      );
      return rangePool([a, b], positions, {
        id,
        fee: draft.fee,
        tickSpacing: spacing,
        sqrtPriceX96,
      });
    }),
  );
}

/** Settles a walk of pools in order and records their new states; undefined if a pool cannot take the whole amount. */
export function execute(
  states: Map<Address, PoolState>,
  pools: readonly PoolState[],
  { tokenIn, amountIn }: { tokenIn: Address; amountIn: bigint },
): bigint | undefined {
  let amount = amountIn;
  let here = tokenIn;
  const after = new Map<Address, PoolState>();
  for (const { address } of pools) {
    const pool = after.get(address) ?? states.get(address);
    if (pool === undefined) return undefined;
    const zeroForOne = pool.token0 === here;
    const swap = simulateSwap(pool, { zeroForOne, amountIn: amount });
    if (swap.shortfall !== undefined) return undefined;
    after.set(address, swap.stateAfter);
    here = zeroForOne ? pool.token1 : pool.token0;
    amount = swap.amountOut;
  }
  for (const [address, state] of after) states.set(address, state);
  return amount;
}

/** Every walk of at most `maxHops` pools between two tokens that uses no pool twice. */
export function allWalks(
  pools: readonly PoolState[],
  { from, to, maxHops }: { from: Address; to: Address; maxHops: number },
): PoolState[][] {
  const walks: PoolState[][] = [];
  const extend = (here: Address, walk: PoolState[]) => {
    if (here === to && walk.length > 0) walks.push(walk);
    if (walk.length === maxHops) return;
    for (const pool of pools) {
      if (walk.includes(pool)) continue;
      if (pool.token0 === here) extend(pool.token1, [...walk, pool]);
      if (pool.token1 === here) extend(pool.token0, [...walk, pool]);
    }
  };
  extend(from, []);
  return walks;
}
