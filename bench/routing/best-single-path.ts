import type { Address } from '../../src/swap/model.ts';
import { simulateSwap } from '../../src/swap/pools/pool-kinds.ts';
import type { PoolSet } from './pool-set.ts';

/** The highest output of a single path that visits no token twice. Tries every path, in integers. */
export function bestSinglePath(
  { pools }: PoolSet,
  trade: { tokenIn: Address; tokenOut: Address; amountIn: bigint; maxHops: number },
): bigint {
  let best = 0n;
  const extend = (here: Address, amount: bigint, visited: readonly Address[]) => {
    if (here === trade.tokenOut) {
      if (amount > best) best = amount;
      return;
    }
    if (visited.length > trade.maxHops) return;
    for (const pool of pools) {
      const zeroForOne = pool.token0 === here;
      if (!zeroForOne && pool.token1 !== here) continue;
      const next = zeroForOne ? pool.token1 : pool.token0;
      if (visited.includes(next)) continue;
      const swap = simulateSwap(pool, { zeroForOne, amountIn: amount });
      if (swap.shortfall === undefined) extend(next, swap.amountOut, [...visited, next]);
    }
  };
  extend(trade.tokenIn, trade.amountIn, [trade.tokenIn]);
  return best;
}
