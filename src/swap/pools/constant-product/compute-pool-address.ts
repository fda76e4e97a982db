import { encodePacked, keccak256 } from 'viem/utils';
import type { Address } from '../../model.ts';
import { create2Address } from '../create2-address.ts';
import { sortTokens } from '../sort-tokens.ts';
import type { ConstantProductExchange } from './constant-product-pool.ts';

export type PairKey = { readonly tokenA: Address; readonly tokenB: Address };

/**
 * The address of the pair of two tokens, in any order of the tokens, without asking the chain:
 * `UniswapV2Library.pairFor`. Does not check that the pair exists.
 */
export function computePoolAddress(exchange: ConstantProductExchange, key: PairKey): Address {
  const tokens = sortTokens(key.tokenA, key.tokenB);
  return create2Address(exchange, keccak256(encodePacked(['address', 'address'], tokens)));
}
