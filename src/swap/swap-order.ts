import type { Address } from './address.ts';
import type { PermitKind } from './permit/permit.ts';
import type { ExecutorHop, UniswapLeg } from './pools/pool-kind.ts';

/** One pool of a path, as a router must know it. */
export type Hop = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly pool: Address;
  /** How Uniswap's routers name the pool; undefined where they cannot swap in it. */
  readonly leg: UniswapLeg | undefined;
  /** How the executor swaps in the pool; undefined where it cannot. */
  readonly step: ExecutorHop | undefined;
};

/** A chain of hops from the token given to the token taken, and how much enters it. */
export type Path = {
  readonly hops: readonly [Hop, ...Hop[]];
  readonly amountIn: bigint;
};

/** Everything a router transaction says: what goes in by which paths, and what must come out at least. */
export type SwapOrder = {
  readonly paths: readonly [Path, ...Path[]];
  /** The token taken, wrapped where the native one is wanted. */
  readonly tokenOut: Address;
  /** Enforced on the whole by the transaction: it reverts below. */
  readonly minAmountOut: bigint;
  readonly sender: Address;
  /** Who receives the output. */
  readonly recipient: Address;
  /** A share of the output, in billionths, for an integrator; only our executor pays it. */
  readonly fee?: { readonly billionths: bigint; readonly recipient: Address } | undefined;
  /** A signature of the sender takes the place of an approval; only our executor knows that. */
  readonly permit?: PermitKind | undefined;
  /** Seconds since the Unix epoch. */
  readonly deadline: bigint;
  /** Pay with the native token; the first hops then begin at its wrapped form. */
  readonly isNativeIn: boolean;
  /** Receive the native token; the last hops then end at its wrapped form. */
  readonly isNativeOut: boolean;
};

/** A call for the sender to sign. */
export type TransactionCall = {
  readonly to: Address;
  readonly data: `0x${string}`;
  readonly value: bigint;
};

/** What goes in over all paths. */
export function totalAmountIn(order: SwapOrder): bigint {
  return order.paths.reduce((sum, { amountIn }) => sum + amountIn, 0n);
}
