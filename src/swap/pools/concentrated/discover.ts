import { poolId } from '../pool.ts';
import type { PairToDiscover } from '../pool-kind.ts';
import { sortTokens } from '../sort-tokens.ts';
import { computePoolAddress } from './compute-pool-address.ts';
import type { ConcentratedExchange, ConcentratedPool } from './concentrated-pool.ts';

/** One pool per fee tier that an exchange can have for two tokens. Reading shows which ones exist. */
export function discoverConcentrated(
  exchange: ConcentratedExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): ConcentratedPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.feeTiers.map(({ fee, tickSpacing }) => {
    const address = computePoolAddress(exchange, { tokenA, tokenB, fee });
    return {
      kind: 'concentrated',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      tickSpacing,
      ...(exchange.callsFarm && { callsFarm: true }),
    };
  });
}
