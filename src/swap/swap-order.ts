import type { Address } from './model.ts';
import type { PermitKind } from './permit.ts';
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
  /** Whether the pool may call anything in a swap. */
  readonly runsForeignCode: boolean;
};

/** A chain of hops from the token paid to the token received, and how much enters it. */
export type Path = {
  readonly hops: readonly [Hop, ...Hop[]];
  readonly amountIn: bigint;
};

/** Everything that a router transaction encodes: the paths, their inputs, the least total output. */
export type SwapOrder = {
  readonly paths: readonly [Path, ...Path[]];
  /** The token received; the wrapped one if the native token is wanted. */
  readonly tokenOut: Address;
  /** The transaction reverts if the total output is below this. */
  readonly minAmountOut: bigint;
  readonly sender: Address;
  /** Who receives the output. */
  readonly recipient: Address;
  /** A share of the output, in billionths, for an integrator; only our executor pays it. */
  readonly fee?: { readonly billionths: bigint; readonly recipient: Address } | undefined;
  /** A signature of the sender replaces the approval; only our executor supports that. */
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

/** The input of all paths together. */
export function totalAmountIn(order: SwapOrder): bigint {
  return order.paths.reduce((sum, { amountIn }) => sum + amountIn, 0n);
}
