import { encodeAbiParameters, keccak256 } from 'viem/utils';
import type { Address } from '../../model.ts';
import { poolId } from '../pool.ts';
import type { PairToDiscover } from '../pool-kind.ts';
import { sortTokens } from '../sort-tokens.ts';
import type { PoolKey, UniswapV4Exchange, UniswapV4Pool } from './uniswap-v4-pool.ts';

// Forty zeros are their own checksummed form.
const zeroAddress = `0x${'0'.repeat(40)}` as Address;

/**
 * One pool per fee tier. For the wrapped native token also one per tier with the native currency in its
 * place: routing treats the two as one token.
 */
export function discoverUniswapV4(
  exchange: UniswapV4Exchange,
  { tokens, wrappedNative }: PairToDiscover,
): UniswapV4Pool[] {
  const [one, other] = sortTokens(...tokens);
  const sides = [{ tokens: [one, other], currencies: [one, other] } as const];
  if (one === wrappedNative || other === wrappedNative) {
    const partner = one === wrappedNative ? other : one;
    sides.push({ tokens: [wrappedNative, partner], currencies: [zeroAddress, partner] });
  }
  return exchange.feeTiers.flatMap((tier) =>
    sides.map(({ tokens: [token0, token1], currencies: [currency0, currency1] }) => {
      const key = keyOf({ currency0, currency1, ...tier });
      return {
        kind: 'uniswap-v4',
        id: poolId(exchange.factory, key.hash),
        address: exchange.factory,
        exchange: exchange.name,
        token0,
        token1,
        key,
      };
    }),
  );
}

const keyParts = [
  { type: 'address' },
  { type: 'address' },
  { type: 'uint24' },
  { type: 'int24' },
  { type: 'address' },
] as const;

/** The key of a pool without hooks, with its hash: `PoolIdLibrary.toId`. */
function keyOf(key: Omit<PoolKey, 'hash'>): PoolKey {
  const { currency0, currency1, fee, tickSpacing } = key;
  const parts = [currency0, currency1, fee, tickSpacing, zeroAddress] as const;
  return { ...key, hash: keccak256(encodeAbiParameters(keyParts, parts)) };
}
