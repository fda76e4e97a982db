import { encodeAbiParameters, keccak256 } from 'viem/utils';
import { create2Address } from '../create2-address.ts';
import { poolId } from '../pool.ts';
import type { PairToDiscover } from '../pool-kind.ts';
import { sortTokens } from '../sort-tokens.ts';
import type { SlipstreamExchange, SlipstreamPool } from './slipstream-pool.ts';

const saltParts = [{ type: 'address' }, { type: 'address' }, { type: 'int24' }] as const;

/** The pools that an exchange can have for two tokens, one for each tick spacing. Reading tells which exist. */
export function discoverSlipstream(
  exchange: SlipstreamExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): SlipstreamPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.tickSpacings.map((tickSpacing) => {
    const salt = keccak256(encodeAbiParameters(saltParts, [token0, token1, tickSpacing]));
    const address = create2Address(exchange, salt);
    return {
      kind: 'slipstream',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      tickSpacing,
    };
  });
}
