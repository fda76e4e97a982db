import type { TickState } from './concentrated-pool.ts';

/** Units of token 1 for a unit of token 0, or the other way round, as the square root in the pool says. */
export function midPriceOf({ sqrtPriceX96 }: TickState, zeroForOne: boolean): number {
  const price = (Number(sqrtPriceX96) / 2 ** 96) ** 2;
  return zeroForOne ? price : 1 / price;
}
