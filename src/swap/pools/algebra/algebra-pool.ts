import type { TickState } from '../concentrated/concentrated-pool.ts';
import type { Create2Exchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';

/**
 * `v1` is the first generation: QuickSwap V3. `v1-directional` is its last form, with a fee for each direction: Camelot V3.
 * `integral` is QuickSwap V4 and most exchanges since.
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
