import { encodeAbiParameters, keccak256 } from 'viem/utils';
import { create2Address } from '../create2-address.ts';
import { poolId } from '../pool.ts';
import type { PairToDiscover } from '../pool-kind.ts';
import { sortTokens } from '../sort-tokens.ts';
import type { AlgebraExchange, AlgebraPool } from './algebra-pool.ts';

const saltParts = [{ type: 'address' }, { type: 'address' }] as const;

/** The one pool that an exchange has for two tokens by default. Reading it shows whether it exists. */
export function discoverAlgebra(
  exchange: AlgebraExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): AlgebraPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  const salt = keccak256(encodeAbiParameters(saltParts, [token0, token1]));
  const address = create2Address(exchange, salt);
  return [
    {
      kind: 'algebra',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      generation: exchange.generation,
    },
  ];
}
