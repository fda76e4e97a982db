import type { Address } from '../../address.ts';
import type { ConcentratedExchange } from '../../deployments/deployment.ts';
import type { ConcentratedPool } from '../pool.ts';
import { sortTokens } from '../sort-tokens.ts';
import { computePoolAddress } from './compute-pool-address.ts';

/** One pool a fee tier that an exchange can have for two tokens. Reading tells which ones exist. */
export function discoverConcentrated(
  exchange: ConcentratedExchange,
  [tokenA, tokenB]: readonly [Address, Address],
): ConcentratedPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.feeTiers.map(({ fee, tickSpacing }) => ({
    kind: 'concentrated',
    address: computePoolAddress(exchange, { tokenA, tokenB, fee }),
    exchange: exchange.name,
    token0,
    token1,
    tickSpacing,
  }));
}
