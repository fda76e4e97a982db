import type { TickState } from '../concentrated/concentrated-pool.ts';
import type { Create2Exchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';

/**
 * QuickSwap V3 is of the first generation, and so is Camelot V3, in its last form, with a fee for each direction. QuickSwap V4
 * and most that followed are of Integral.
 */
export type AlgebraGeneration = 'v1' | 'v1-directional' | 'integral';

export type AlgebraExchange = Create2Exchange & {
  readonly kind: 'algebra';
  readonly generation: AlgebraGeneration;
};

export type AlgebraPool = Pool & {
  readonly kind: 'algebra';
  readonly generation: AlgebraGeneration;
};

/** Ticks as in Uniswap V3, one pool for two tokens, and a fee that the pool sets by itself. */
export type AlgebraState = TickState & { readonly kind: 'algebra' };
