import { algebra } from './concentrated/algebra.ts';
import { concentrated } from './concentrated/concentrated.ts';
import { slipstream } from './concentrated/slipstream.ts';
import { uniswapV4 } from './concentrated/uniswap-v4.ts';
import { constantProduct } from './constant-product.ts';
import { curve } from './curve/curve.ts';
import { erc4626 } from './erc4626.ts';
import type { ExactInput, PoolState, SwapResult } from './pool.ts';
import type { PoolKind } from './pool-kind.ts';
import { solidly } from './solidly/solidly.ts';

/** Every kind of pool, by the name that pools, states and exchanges carry: a new kind is a line here. */
const poolKinds = {
  'constant-product': constantProduct,
  concentrated,
  algebra,
  erc4626,
  solidly,
  curve,
  slipstream,
  'uniswap-v4': uniswapV4,
} as const;

/** The record of the kind that a pool, a state or an exchange is of. */
export function poolKindOf({ kind }: { readonly kind: string }): PoolKind {
  // The `kind` of a pool, state or exchange is always the name of a record.
  return poolKinds[kind as keyof typeof poolKinds];
}

/** One figure of every kind, by the kind's name. */
export function ofEachKind<Figure>(figure: (kind: PoolKind) => Figure): Record<string, Figure> {
  return Object.fromEntries(Object.entries(poolKinds).map(([name, kind]) => [name, figure(kind)]));
}

type ExchangeOf<Kind> =
  Kind extends PoolKind<infer _Pool, infer _State, infer Exchange> ? Exchange : never;

/** An exchange of any kind. */
export type Exchange = ExchangeOf<(typeof poolKinds)[keyof typeof poolKinds]>;

/**
 * Swaps an exact input in a pool of any kind, to the last unit of what its contract would do. Pure:
 * the state handed in stays as it is. Never throws; a swap the contract refuses takes nothing.
 */
export function simulateSwap(state: PoolState, offer: ExactInput): SwapResult {
  return poolKindOf(state).simulate(state, offer);
}
