import type { Address } from '../address.ts';
import type { ChainDeployment } from '../deployments/deployment.ts';
import { discoverConcentrated } from './concentrated/discover.ts';
import { discoverConstantProduct } from './constant-product/discover.ts';
import type { Pool } from './pool.ts';

/**
 * Every pool that a route between two tokens can use: of the two, of each with a base token of the
 * chain, and of the base tokens among themselves. It asks no chain: addresses follow from the tokens,
 * and which of the pools exist is found by reading them.
 *
 * Give the wrapped token where the native one is meant.
 */
export function discoverPools(
  { exchanges, baseTokens }: Pick<ChainDeployment, 'exchanges' | 'baseTokens'>,
  tokens: readonly [Address, Address],
): Pool[] {
  const all = [...new Set([...tokens, ...baseTokens])];
  return all.flatMap((tokenA, index) =>
    all.slice(index + 1).flatMap((tokenB) =>
      exchanges.flatMap((exchange): Pool[] => {
        return exchange.kind === 'constant-product'
          ? discoverConstantProduct(exchange, [tokenA, tokenB])
          : discoverConcentrated(exchange, [tokenA, tokenB]);
      }),
    ),
  );
}
