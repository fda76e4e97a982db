import type { Create2Exchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';
import type { PoolState } from '../pool-state.ts';

export type ConstantProductExchange = Create2Exchange & {
  readonly kind: 'constant-product';
  readonly feeNumerator: number;
  readonly feeDenominator: number;
};

export type ConstantProductPool = Pool & {
  readonly kind: 'constant-product';
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
};

/** Uniswap V2 and its forks: `x · y = k` with a proportional fee on the input. */
export type ConstantProductState = PoolState & {
  readonly kind: 'constant-product';
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  /** The part of the input that trades, as the contract writes it: 997/1000 for Uniswap. */
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
};
