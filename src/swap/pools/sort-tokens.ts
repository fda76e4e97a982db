import type { Address } from '../model.ts';

/** The two tokens as a pool knows them: `token0` is the one with the smaller address. */
export function sortTokens(tokenA: Address, tokenB: Address): readonly [Address, Address] {
  return BigInt(tokenA) < BigInt(tokenB) ? [tokenA, tokenB] : [tokenB, tokenA];
}
