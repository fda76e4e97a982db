import { encodePacked, keccak256 } from 'viem/utils';
import { create2Address } from '../create2-address.ts';
import { poolId } from '../pool.ts';
import type { PairToDiscover } from '../pool-kind.ts';
import { sortTokens } from '../sort-tokens.ts';
import type { SolidlyExchange, SolidlyPool } from './solidly-pool.ts';

/** The two pairs that an exchange can have for two tokens, one of each curve. Reading shows which exist. */
export function discoverSolidly(
  exchange: SolidlyExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): SolidlyPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  const { generation, factory, feeBps } = exchange;
  return [false, true].map((isStable) => {
    const salt = keccak256(
      encodePacked(['address', 'address', 'bool'], [token0, token1, isStable]),
    );
    const address = create2Address(exchange, salt);
    return {
      kind: 'solidly',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      generation,
      isStable,
      factory,
      feeBps: feeBps === 'factory' ? undefined : BigInt(isStable ? feeBps.stable : feeBps.volatile),
    };
  });
}
