import { concentratedCurve } from '../concentrated/curve.ts';
import { midPriceOf } from '../concentrated/mid-price-of.ts';
import { reachToEnd } from '../concentrated/refresh.ts';
import { simulateConcentrated } from '../concentrated/simulate.ts';
import { ticksBetween } from '../concentrated/ticks-between.ts';
import type { PoolKind } from '../pool-kind.ts';
import type { AlgebraExchange, AlgebraPool, AlgebraState } from './algebra-pool.ts';
import { discoverAlgebra } from './discover.ts';
import { readAlgebraState, writeAlgebraQuery } from './refresh.ts';

/**
 * Pools of Algebra, of the first generation and of Integral [Q26]. Between ticks they compute as Uniswap V3
 * does; Integral does not stop at the borders of bitmap words. The fee changes with time and without a log,
 * so that the pool is read at every block.
 */
export const algebra: PoolKind<AlgebraPool, AlgebraState, AlgebraExchange> = {
  discover: discoverAlgebra,
  // As many as of Uniswap V3.
  poolsPerCall: 16,
  query: writeAlgebraQuery,
  readState: readAlgebraState,
  reachBeyond: reachToEnd,
  simulate: simulateConcentrated,
  curve: (state, { zeroForOne }) => concentratedCurve(state, zeroForOne),
  midPrice: midPriceOf,
  gasOfHop: 110_000,
  ticksBetween,
  writesOnceABlock: 'timepoint',
  // The plugin of Integral, and the farm of the first generation.
  runsForeignCode: () => true,
  // It has the `swap` selector of Uniswap V3, and its callback takes the same amounts in the same order.
  encodeHop: () => ({ number: 1, extra: '0x' }),
};
