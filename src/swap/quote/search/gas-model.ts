import { ofEachKind, poolKindOf } from '../../pools/pool-kinds.ts';
import type { GasCosts } from '../../routing/plans/plan-costs.ts';

/**
 * The gas of the parts of a route other than its hops, to compare routes before one of them is tried:
 * rounded from transactions through SwapRouter02 on the development chain.
 */
const gasUse = {
  /** Moving the input and entering the router. */
  path: 35_000,
  crossedTick: 22_000,
};

const gasOfHops = Object.entries(ofEachKind(({ gasOfHop }) => gasOfHop));

/** The same in units of the output token, at what one unit of gas costs in it. */
export function gasCosts(outputPerGas: number): GasCosts {
  const hops: Record<string, number> = {};
  for (const [kind, gas] of gasOfHops) hops[kind] = gas * outputPerGas;
  return {
    path: gasUse.path * outputPerGas,
    hops,
    crossedTick: gasUse.crossedTick * outputPerGas,
  };
}

/** The gas of a call that could not be tried: a fifth above the model, since nothing measured it. */
export function estimateCallGas(
  paths: readonly { readonly hops: readonly { readonly pool: { readonly kind: string } }[] }[],
): bigint {
  let gas = 0;
  for (const { hops } of paths) {
    gas += gasUse.path;
    for (const { pool } of hops) gas += poolKindOf(pool).gasOfHop;
  }
  return BigInt(Math.ceil(gas * 1.2));
}
