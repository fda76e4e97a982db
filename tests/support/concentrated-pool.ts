import type { Address } from '../../src/swap/model.ts';
import type { ConcentratedState } from '../../src/swap/pools/concentrated/concentrated-pool.ts';
import { MAX_TICK, MIN_TICK, tickAtSqrtRatio } from '../../src/swap/pools/concentrated/ticks.ts';
import { poolId } from '../../src/swap/pools/pool.ts';

/** A provider's position: liquidity between two ticks. */
export type Position = {
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly liquidity: bigint;
};

/** How a pool is made: initialized at a price, then given positions. */
export type ConcentratedSettings = {
  readonly fee: number;
  readonly tickSpacing: number;
  readonly sqrtPriceX96: bigint;
  readonly positions: readonly Position[];
};

/** The state of a pool that was made like this. */
export function concentratedPool(pool: ConcentratedSettings): ConcentratedState {
  const tick = tickAtSqrtRatio(pool.sqrtPriceX96);
  const netAtTick = new Map<number, bigint>();
  let liquidity = 0n;
  for (const position of pool.positions) {
    const { tickLower, tickUpper } = position;
    netAtTick.set(tickLower, (netAtTick.get(tickLower) ?? 0n) + position.liquidity);
    netAtTick.set(tickUpper, (netAtTick.get(tickUpper) ?? 0n) - position.liquidity);
    if (tickLower <= tick && tick < tickUpper) liquidity += position.liquidity;
  }
  return {
    kind: 'concentrated',
    id: poolId(address('a')),
    address: address('a'),
    token0: address('1'),
    token1: address('2'),
    blockNumber: 7n,
    fee: pool.fee,
    tickSpacing: pool.tickSpacing,
    sqrtPriceX96: pool.sqrtPriceX96,
    tick,
    liquidity,
    // A tick with zero net liquidity stays initialized, and a swap stops there.
    ticks: [...netAtTick]
      .sort(([left], [right]) => left - right)
      .map(([index, liquidityNet]) => ({ index, liquidityNet })),
    lowestKnownTick: MIN_TICK,
    highestKnownTick: MAX_TICK,
  };
}

function address(digit: string): Address {
  return `0x${digit.repeat(40)}` as Address;
}
