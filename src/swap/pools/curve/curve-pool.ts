import type { Address } from '../../model.ts';
import type { CommonExchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';
import type { PoolState } from '../pool-state.ts';

/** Curve pools, listed by address. `factory` is the first of them: the first pools had no factory. */
export type CurveExchange = CommonExchange & {
  readonly kind: 'curve';
  readonly pools: readonly CurvePoolFacts[];
};

/** A plain pool of the first kind, as `StableSwap` of 2020 was: the pools of sUSD and its like. */
export type CurvePoolFacts = { readonly address: Address; readonly coins: readonly CurveCoin[] };

/** In the pool's own order. */
export type CurveCoin = { readonly address: Address; readonly decimals: number };

/** Two coins of a pool. */
export type CurvePool = Pool & {
  readonly kind: 'curve';
  readonly coins: readonly CurveCoin[];
  /** The places of token 0 and token 1 among the coins. */
  readonly index0: number;
  readonly index1: number;
};

/**
 * Two coins of a Curve pool of the first plain kind (`StableSwap` of 2020). The others matter too: the
 * invariant is of all of them.
 */
export type CurveState = PoolState & {
  readonly kind: 'curve';
  /** Of all coins, in the pool's own order. */
  readonly balances: readonly bigint[];
  /** What makes an amount of each coin comparable: 10¹⁸ for a coin of 18 decimals, 10³⁰ for one of 6. */
  readonly rates: readonly bigint[];
  /** The amplification as the pool's `A()` says it. */
  readonly amplification: bigint;
  /** Of the output, in 10⁻¹⁰. */
  readonly fee: bigint;
  /** The part of the fee that leaves the balances, in 10⁻¹⁰. */
  readonly adminFee: bigint;
  /** The places of token 0 and token 1 among the coins. */
  readonly index0: number;
  readonly index1: number;
};
