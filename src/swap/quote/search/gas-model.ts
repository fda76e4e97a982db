import type { PoolId, PoolState } from '../../pools/pool.ts';
import type { PoolKind } from '../../pools/pool-kind.ts';
import { ofEachKind, poolKindOf, simulateSwap } from '../../pools/pool-kinds.ts';
import type { GasCosts } from '../../routing/plans/plan-costs.ts';
import type { SettledHop } from '../../routing/settle-plan.ts';

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

/**
 * What the model leaves out, because on the development chain it was not so: tokens and pools as dear as the rules of the EVM
 * allow. A cold account costs 2,600 and a cold slot 2,100 (EIP-2929); to fill an empty slot costs 17,100 more than to change one
 * (EIP-2200). Refunds come at the end and lower no limit (EIP-3529).
 */
const newSlot = 17_100;
const atMost = {
  /** The first balance of a receiver, and a token behind a proxy that looks at five settings. */
  token: newSlot + 2_600 + 6 * 2_100,
  /** A fee that a pool has never counted before: its own and the protocol's. */
  pool: 2 * newSlot,
  /** Both are empty at first: two cumulative prices, an observation, two slots of a timepoint with all it looks for. */
  onceABlock: { 'cumulative-prices': 44_200, observation: 22_100, timepoint: 150_000 },
  /** A tick that never saw fees: two words of fees to fill, three others to look at or change. */
  crossedTick: 2 * 22_100 + 3 * 5_000,
  /** The wrapped token gives native currency to the router, and that to the recipient. */
  unwrapping: 2 * (9_000 + 2_600) + 2 * 5_000,
} as const;

/** EIP-7825: no transaction may have more, and this leaves a part for its data. */
const mostGas = 16_000_000;

type EstimatedPath = { readonly hops: readonly SettledHop[] };

/**
 * The gas of a call that could not be tried: never too little, and mostly too much [Q49]. What is known of the route is
 * counted, namely its paths, hops and crossed ticks, each token and pool once as dear as it may be, and a fifth for code that the
 * model does not know. What tokens do beyond a plain transfer is not known.
 */
export function reckonCallGas(
  paths: readonly EstimatedPath[],
  { isNativeOut }: { readonly isNativeOut: boolean },
): bigint {
  const tokens = new Set<string>();
  const states = new Map<PoolId, PoolState>();
  let gas = isNativeOut ? atMost.unwrapping : 0;
  let dear = 0;
  for (const { hops } of paths) {
    gas += gasUse.path;
    for (const { pool, zeroForOne, amountIn, tokenIn, tokenOut } of hops) {
      const kind = poolKindOf(pool);
      const before = states.get(pool.id) ?? pool;
      const { stateAfter } = simulateSwap(before, { zeroForOne, amountIn });
      if (before === pool) dear += atMost.pool + onceABlock(kind.writesOnceABlock);
      gas += kind.gasOfHop;
      dear += (kind.ticksBetween?.(before, stateAfter) ?? 0) * atMost.crossedTick;
      states.set(pool.id, stateAfter);
      tokens.add(tokenIn).add(tokenOut);
    }
  }
  return BigInt(Math.min(Math.ceil(gas * 1.2 + dear + tokens.size * atMost.token), mostGas));
}

function onceABlock(what: PoolKind['writesOnceABlock']): number {
  return what === undefined ? 0 : atMost.onceABlock[what];
}
