import type { Address } from '../address.ts';
import type { ChainDeployment } from '../deployments/deployment.ts';
import { swapLimits } from '../limits.ts';
import { discoverConcentrated } from './concentrated/discover.ts';
import { discoverConstantProduct } from './constant-product/discover.ts';
import type { Pool } from './pool.ts';

// Some ten pools a pair: a few megabytes at most.
const pairsKept = swapLimits.pairsKept.value;

/**
 * Finds every pool that a route between two tokens can use: of the two, of each with a base token of
 * the chain, and of the base tokens among themselves. It asks no chain: addresses follow from the
 * tokens, and which of the pools exist is found by reading them. The addresses are hashes of hashes and
 * would take a third of a quote's processor time, so those of a pair are remembered.
 *
 * Give the wrapped token where the native one is meant.
 */
export function createPoolDiscovery({
  exchanges,
  baseTokens,
}: Pick<ChainDeployment, 'exchanges' | 'baseTokens'>): (
  tokens: readonly [Address, Address],
) => Pool[] {
  const known = new Map<string, readonly Pool[]>();

  function discoverPair(pair: readonly [Address, Address]): readonly Pool[] {
    const key = pair.join(' ');
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const pools = exchanges.flatMap((exchange): Pool[] =>
      exchange.kind === 'constant-product'
        ? discoverConstantProduct(exchange, pair)
        : discoverConcentrated(exchange, pair),
    );
    if (known.size >= pairsKept) known.clear();
    known.set(key, pools);
    return pools;
  }

  return (tokens) => {
    const all = [...new Set([...tokens, ...baseTokens])];
    return all.flatMap((tokenA, index) =>
      all.slice(index + 1).flatMap((tokenB) => discoverPair([tokenA, tokenB])),
    );
  };
}
