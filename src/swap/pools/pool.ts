import type { Address } from '../model.ts';

declare const poolIdBrand: unique symbol;

/**
 * Identifies a pool. An address does not: the manager of Uniswap V4 holds many pools, and every two coins
 * of a Curve pool are one.
 */
export type PoolId = string & { readonly [poolIdBrand]: true };

/** The id of the pool at an address; `parts` say which, where several are there. */
export function poolId(address: Address, ...parts: readonly string[]): PoolId {
  // The only place where ids are made: an address, and what follows it.
  return [address, ...parts].join(':') as PoolId;
}

/**
 * A pool that may exist: what follows from its exchange and tokens alone and never changes. Each kind
 * adds its own facts in its folder.
 */
export type Pool = {
  /** The name of its record in `pool-kinds.ts`. */
  readonly kind: string;
  readonly id: PoolId;
  /** The contract that holds the pool, and logs what happens to it. */
  readonly address: Address;
  /** The name of its exchange in the chain's deployment. */
  readonly exchange: string;
  /**
   * The two tokens that are traded, in the order of the pool's own arithmetic. The wrapped native token
   * stands for the native currency. A pool of more tokens is one `Pool` for each two of them.
   */
  readonly token0: Address;
  readonly token1: Address;
};

/** How far around the current tick a concentrated pool is read, in words of its tick bitmap. */
export type TickReach = {
  readonly wordsBelow: number;
  readonly wordsAbove: number;
  /** A side is not read further once it has so many ticks. */
  readonly ticksPerSide: number;
};
