import { poolId } from '../pool.ts';
import type { PairToDiscover } from '../pool-kind.ts';
import { sortTokens } from '../sort-tokens.ts';
import type { Erc4626Exchange, Erc4626Pool } from './erc4626-pool.ts';

/** The vaults that are one of the tokens and take the other. */
export function discoverErc4626(
  exchange: Erc4626Exchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): Erc4626Pool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.vaults
    .filter(
      ({ address, asset }) =>
        (address === token0 && asset === token1) || (address === token1 && asset === token0),
    )
    .map(({ address }) => ({
      kind: 'erc4626',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
    }));
}
