import type { Position } from './add-concentrated-pool.ts';

/**
 * How much liquidity the amounts of a position give at a price: `LiquidityAmounts` of Uniswap, with the
 * prices at ticks computed in floats. The price must lie inside the position.
 */
export function liquidityOf(position: Position, sqrtPriceX96: bigint): bigint {
  const low = sqrtPriceAt(position.tickLower);
  const high = sqrtPriceAt(position.tickUpper);
  const by0 = (position.amount0 * ((sqrtPriceX96 * high) >> 96n)) / (high - sqrtPriceX96);
  const by1 = (position.amount1 << 96n) / (sqrtPriceX96 - low);
  return by0 < by1 ? by0 : by1;
}

function sqrtPriceAt(tick: number): bigint {
  const exponent = 40;
  // Wide enough for prices far from one: a float holds 53 bits of it.
  return BigInt(Math.round(1.0001 ** (tick / 2) * 2 ** (96 - exponent))) << BigInt(exponent);
}
