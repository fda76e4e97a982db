import { createBoundedMap } from '../../../kernel/wait/remembered.ts';
import type { ChainDeployment } from '../../deployments/deployment.ts';
import { swapLimits } from '../../limits.ts';
import type { Address } from '../../model.ts';
import type { Pool } from '../../pools/pool.ts';
import { poolKindOf } from '../../pools/pool-kinds.ts';

// Some ten pools a pair: a few megabytes at most.
const pairsKept = swapLimits.pairsKept.value;

/**
 * Finds every pool that a route between two tokens can use: of the two, of each with a base token of
 * the chain, and of the base tokens among themselves; `looksFurther` counts the chain's further tokens as base tokens [Q50]. It asks no chain: addresses follow from the
 * tokens, and which of the pools exist is found by reading them. The addresses are hashes of hashes and
 * would take a third of a quote's processor time, so those of a pair are remembered.
 *
 * Pass the wrapped token for the native one.
 */
export function createPoolDiscovery({
  exchanges,
  baseTokens,
  furtherTokens = [],
  wrappedNative,
}: Pick<ChainDeployment, 'exchanges' | 'baseTokens' | 'furtherTokens' | 'wrappedNative'>): (
  tokens: readonly [Address, Address],
  options?: { readonly looksFurther?: boolean | undefined },
) => Pool[] {
  const known = createBoundedMap<string, readonly Pool[]>(pairsKept);

  function discoverPair(pair: readonly [Address, Address]): readonly Pool[] {
    const key = pair.join(' ');
    const pools = known.get(key) ?? computePair(pair);
    known.set(key, pools);
    return pools;
  }

  function computePair(tokens: readonly [Address, Address]): readonly Pool[] {
    return exchanges.flatMap((exchange) =>
      poolKindOf(exchange).discover(exchange, { tokens, wrappedNative }),
    );
  }

  return (tokens, { looksFurther = false } = {}) => {
    const further = looksFurther ? furtherTokens : [];
    const all = [...new Set([...tokens, ...baseTokens, ...further])];
    return all.flatMap((tokenA, index) =>
      all.slice(index + 1).flatMap((tokenB) => discoverPair([tokenA, tokenB])),
    );
  };
}
