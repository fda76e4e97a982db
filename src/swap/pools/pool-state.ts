import type { Address } from '../address.ts';

/**
 * What a pool is at one block: everything its pricing needs, nothing that needs a chain. States are
 * values: a swap yields a new state and leaves the old one alone.
 */
export type PoolState = ConstantProductState | ConcentratedState;

type CommonState = {
  readonly address: Address;
  /** The token that sorts first by address. */
  readonly token0: Address;
  readonly token1: Address;
  readonly blockNumber: bigint;
};

/** Uniswap V2 and its forks: `x · y = k` with a proportional fee on the input. */
export type ConstantProductState = CommonState & {
  readonly kind: 'constant-product';
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  /** The part of the input that trades, as the contract writes it: 997/1000 for Uniswap. */
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
};

/** Uniswap V3 and its forks: liquidity that changes at initialized ticks. */
export type ConcentratedState = CommonState & {
  readonly kind: 'concentrated';
  /** Hundredths of a basis point: 3000 is 0.3%. */
  readonly fee: number;
  readonly tickSpacing: number;
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Initialized ticks in ascending order, all of those between the two bounds. */
  readonly ticks: readonly InitializedTick[];
  /**
   * The range of ticks that was read, in whole words of the tick bitmap: a swap looks at one word at
   * a time, and one that would look at a word outside does not know what comes next.
   */
  readonly lowestKnownTick: number;
  readonly highestKnownTick: number;
};

export type InitializedTick = {
  readonly index: number;
  readonly liquidityNet: bigint;
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
  | 'reserve-overflow';
