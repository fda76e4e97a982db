import type { Address } from '../model.ts';
import type { PoolId } from './pool.ts';

/**
 * What a pool is at one block: everything its pricing needs, nothing that needs a chain. States are
 * values: a swap yields a new state and leaves the old one alone. Each kind adds its own facts.
 */
export type PoolState = {
  readonly kind: string;
  readonly id: PoolId;
  readonly address: Address;
  /** In the order of the pool's own arithmetic. */
  readonly token0: Address;
  readonly token1: Address;
  readonly blockNumber: bigint;
  /**
   * Set where several states are pairs of one pool of more than two tokens: a trade in one of them moves
   * the others, so that a route uses at most one state of a group.
   */
  readonly group?: PoolId;
};

/** A positive amount of one token offered to a pool: of token 0 where `zeroForOne`, else of token 1. */
export type ExactInput = {
  readonly zeroForOne: boolean;
  readonly amountIn: bigint;
};

/**
 * What a swap of an exact input gives. A pool that does not take the whole amount says why, and
 * everything here then speaks of the part it takes: offering exactly `amountInUsed` gives the same
 * output and the same state. A pool that takes nothing keeps its state.
 */
export type SwapResult<State extends PoolState = PoolState> = {
  readonly amountInUsed: bigint;
  readonly amountOut: bigint;
  readonly stateAfter: State;
  /** Undefined when the whole amount is taken. */
  readonly shortfall: Shortfall | undefined;
};

export type Shortfall =
  /** The pool has no more to give in this direction. */
  | 'liquidity-exhausted'
  /** The pool may have more to give beyond the ticks that were read. */
  | 'ticks-unknown'
  /** The ticks contradict the liquidity: they cannot be of the same block. */
  | 'ticks-inconsistent'
  /** The amount is so small that nothing comes out for it; the pool could still have kept it. */
  | 'no-output'
  /** The pool cannot count that much of the token. */
  | 'reserve-overflow'
  /** The pool refuses what its own formula gives: its check of the invariant rounds in another way. */
  | 'invariant-rounding';
