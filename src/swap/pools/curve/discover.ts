import { poolId } from '../pool.ts';
import type { PairToDiscover } from '../pool-kind.ts';
import { sortTokens } from '../sort-tokens.ts';
import type { CurveExchange, CurvePool } from './curve-pool.ts';

/** The two tokens in each pool that has both. */
export function discoverCurve(
  exchange: CurveExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): CurvePool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.pools.flatMap(({ address, coins }): CurvePool[] => {
    const index0 = coins.findIndex((coin) => coin.address === token0);
    const index1 = coins.findIndex((coin) => coin.address === token1);
    if (index0 < 0 || index1 < 0) return [];
    const id = poolId(address, `${index0}-${index1}`);
    return [
      {
        kind: 'curve',
        id,
        address,
        exchange: exchange.name,
        token0,
        token1,
        coins,
        index0,
        index1,
      },
    ];
  });
}
