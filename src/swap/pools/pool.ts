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
 * adds its own facts.
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

/**
 * How much was read of a pool in one direction: a price range with liquidity (`some`), nothing although it was read as far as
 * pools are read before anything is known of the trade (`nothing-near`), or nothing and less far than that (`too-little`).
 */
export type Seen = 'some' | 'nothing-near' | 'too-little';

/** How far around the current tick a concentrated pool is read, in words of its tick bitmap. */
export type TickReach = {
  readonly wordsBelow: number;
  readonly wordsAbove: number;
  /** A side is not read further once it has so many ticks. */
  readonly ticksPerSide: number;
};

/** The facts of an exchange that every kind has. */
export type CommonExchange = {
  /** Unique on the chain, in kebab case: `uniswap-v3`. */
  readonly name: string;
  /** The contract that makes its pools, or holds all of them. */
  readonly factory: Address;
  /** Where these facts come from. */
  readonly source: string;
  /**
   * Set if the contracts are in no package. Test runs then check our arithmetic against swaps that were recorded on
   * the contracts, not against the contracts.
   */
  readonly provenBy?: 'recorded-swaps';
};

/** An exchange whose pools have addresses that follow from their tokens. */
export type Create2Exchange = CommonExchange & {
  /** The account that deploys the pools with CREATE2, if it is not the factory. */
  readonly poolDeployer?: Address;
  readonly initCodeHash: `0x${string}`;
  /** Set where CREATE2 is not that of the EVM: ZKsync derives addresses in another way. */
  readonly create2?: 'zksync';
};

/** The two tokens as a pool knows them: `token0` is the one with the smaller address. */
export function sortTokens(tokenA: Address, tokenB: Address): readonly [Address, Address] {
  return BigInt(tokenA) < BigInt(tokenB) ? [tokenA, tokenB] : [tokenB, tokenA];
}

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

/** The result of a swap that the contract refuses, or that nobody would want: nothing moves. */
export function takeNothing<State extends PoolState>(
  state: State,
  shortfall: Shortfall,
): SwapResult<State> {
  return { amountInUsed: 0n, amountOut: 0n, stateAfter: state, shortfall };
}
