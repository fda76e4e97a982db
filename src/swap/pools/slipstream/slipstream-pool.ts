import type { TickState } from '../concentrated/concentrated-pool.ts';
import type { Create2Exchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';

export type SlipstreamExchange = Create2Exchange & {
  readonly kind: 'slipstream';
  /** Two tokens have one pool for each of these. */
  readonly tickSpacings: readonly number[];
};

export type SlipstreamPool = Pool & {
  readonly kind: 'slipstream';
  readonly tickSpacing: number;
};

/** Ticks as in Uniswap V3, and a fee that the factory sets for each pool. */
export type SlipstreamState = TickState & { readonly kind: 'slipstream' };
