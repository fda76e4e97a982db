import type { Address } from 'viem';

/**
 * The account that owns the liquidity of every pool and hands out tokens. It is nobody's: the text
 * "liquidity provider" as an address, so that the test accounts keep their nonces and round balances.
 */
export const liquidityProvider: Address = '0x6c69717569646974792070726f76696465720000';
