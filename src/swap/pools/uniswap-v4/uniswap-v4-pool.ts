import type { Hex } from 'viem';
import type { Address } from '../../model.ts';
import type { FeeTier, TickState } from '../concentrated/concentrated-pool.ts';
import type { CommonExchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';

/** A Uniswap V4 pool manager; `factory` is its address. */
export type UniswapV4Exchange = CommonExchange & {
  readonly kind: 'uniswap-v4';
  /** A pool may have any fee and spacing; those that people trade in have one of these. */
  readonly feeTiers: readonly FeeTier[];
};

/** A pool without hooks, and so without a fee that a hook could change. */
export type UniswapV4Pool = Pool & {
  readonly kind: 'uniswap-v4';
  readonly key: PoolKey;
};

/** `PoolKey` with the hooks left out, and the id that is its hash. The zero address is the native currency. */
export type PoolKey = {
  readonly hash: Hex;
  readonly currency0: Address;
  readonly currency1: Address;
  /** Hundredths of a basis point. */
  readonly fee: number;
  readonly tickSpacing: number;
};

/** `fee` is what liquidity providers get; a swap pays what the protocol takes on top. */
export type UniswapV4State = TickState & {
  readonly kind: 'uniswap-v4';
  readonly key: PoolKey;
  /** Hundredths of a basis point, by the direction of the swap. */
  readonly protocolFeeZeroForOne: number;
  readonly protocolFeeOneForZero: number;
};
