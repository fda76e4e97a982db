import type { Address } from '../../address.ts';
import type { ConstantProductExchange } from '../../deployments/deployment.ts';
import type { ConstantProductPool } from '../pool.ts';
import { sortTokens } from '../sort-tokens.ts';
import { computePoolAddress } from './compute-pool-address.ts';

/** The one pool an exchange can have for two tokens. Whether it exists, reading it will tell. */
export function discoverConstantProduct(
  exchange: ConstantProductExchange,
  [tokenA, tokenB]: readonly [Address, Address],
): ConstantProductPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return [
    {
      kind: 'constant-product',
      address: computePoolAddress(exchange, { tokenA, tokenB }),
      exchange: exchange.name,
      token0,
      token1,
      feeNumerator: BigInt(exchange.feeNumerator),
      feeDenominator: BigInt(exchange.feeDenominator),
    },
  ];
}
