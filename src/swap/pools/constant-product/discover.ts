import { poolId } from '../pool.ts';
import type { PairToDiscover } from '../pool-kind.ts';
import { sortTokens } from '../sort-tokens.ts';
import { computePoolAddress } from './compute-pool-address.ts';
import type { ConstantProductExchange, ConstantProductPool } from './constant-product-pool.ts';

/** The one pool an exchange can have for two tokens. Reading it shows whether it exists. */
export function discoverConstantProduct(
  exchange: ConstantProductExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): ConstantProductPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  const address = computePoolAddress(exchange, { tokenA, tokenB });
  return [
    {
      kind: 'constant-product',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      feeNumerator: BigInt(exchange.feeNumerator),
      feeDenominator: BigInt(exchange.feeDenominator),
    },
  ];
}
