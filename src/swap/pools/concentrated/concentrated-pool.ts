import type { Create2Exchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';
import type { PoolState } from '../pool-state.ts';

export type ConcentratedExchange = Create2Exchange & {
  readonly kind: 'concentrated';
  /** Set where swaps call a farm that the exchange can give to a pool, as those of PancakeSwap V3 do. */
  readonly callsFarm?: true;
  readonly feeTiers: readonly FeeTier[];
};

/** `fee` is in hundredths of a basis point: 3000 is 0.3%. */
export type FeeTier = { readonly fee: number; readonly tickSpacing: number };

export type ConcentratedPool = Pool & {
  readonly kind: 'concentrated';
  /** From the exchange's fee tier; a state has the value of the pool itself. */
  readonly tickSpacing: number;
  /** As in its exchange. */
  readonly callsFarm?: true;
};

/** Uniswap V3 and its forks: liquidity that changes at initialized ticks. */
export type ConcentratedState = TickState & {
  readonly kind: 'concentrated';
  /** As in its exchange. */
  readonly callsFarm?: true;
};

/** The state of every kind with initialized ticks, for the arithmetic of Uniswap V3. */
export type TickState = PoolState & {
  /** Hundredths of a basis point: 3000 is 0.3%. */
  readonly fee: number;
  /** The fee when token 1 comes in, if that is another. */
  readonly feeOneForZero?: number;
  readonly tickSpacing: number;
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Initialized ticks in ascending order, all of those between the two bounds. */
  readonly ticks: readonly InitializedTick[];
  /**
   * The range of ticks that was read, in whole words of the tick bitmap: a swap looks at one word at
   * a time, and cannot go on where the next word was not read.
   */
  readonly lowestKnownTick: number;
  readonly highestKnownTick: number;
  /** Set where the pool goes from tick to tick without a stop at the borders of words. */
  readonly hasTickTree?: boolean;
};

/** What a swap in this direction pays, in hundredths of a basis point. */
export function feeOf({ fee, feeOneForZero = fee }: TickState, zeroForOne: boolean): number {
  return zeroForOne ? fee : feeOneForZero;
}

export type InitializedTick = {
  readonly index: number;
  readonly liquidityNet: bigint;
};
