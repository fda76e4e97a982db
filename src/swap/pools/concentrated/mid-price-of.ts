import type { TickState } from './concentrated-pool.ts';

/** Units of token 1 for a unit of token 0, or the other way round, from the pool's root price. */
export function midPriceOf({ sqrtPriceX96 }: TickState, zeroForOne: boolean): number {
  const price = (Number(sqrtPriceX96) / 2 ** 96) ** 2;
  return zeroForOne ? price : 1 / price;
}
