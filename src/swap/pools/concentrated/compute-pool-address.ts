import { encodeAbiParameters, keccak256 } from 'viem/utils';
import type { Address } from '../../model.ts';
import { create2Address } from '../create2-address.ts';
import { sortTokens } from '../sort-tokens.ts';
import type { ConcentratedExchange } from './concentrated-pool.ts';

export type ConcentratedPoolKey = {
  readonly tokenA: Address;
  readonly tokenB: Address;
  /** Hundredths of a basis point. */
  readonly fee: number;
};

const saltParts = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const;

/**
 * The address of the pool of two tokens and a fee, in any order of the tokens, without asking the chain:
 * `PoolAddress.computeAddress` of Uniswap's periphery. Does not check that the pool exists, nor that the exchange
 * has such a fee tier.
 */
export function computePoolAddress(
  exchange: ConcentratedExchange,
  key: ConcentratedPoolKey,
): Address {
  const tokens = sortTokens(key.tokenA, key.tokenB);
  return create2Address(exchange, keccak256(encodeAbiParameters(saltParts, [...tokens, key.fee])));
}
