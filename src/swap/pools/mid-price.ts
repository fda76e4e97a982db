import type { PoolState } from './pool-state.ts';

/**
 * Units of token 1 for a unit of token 0, or the other way round, of an endless small trade without
 * fee. A float, for showing and weighing only. Zero or infinite where the pool is empty.
 */
export function midPrice(state: PoolState, zeroForOne: boolean): number {
  const price =
    state.kind === 'constant-product'
      ? Number(state.reserve1) / Number(state.reserve0)
      : (Number(state.sqrtPriceX96) / 2 ** 96) ** 2;
  return zeroForOne ? price : 1 / price;
}
