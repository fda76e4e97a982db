import type { Address } from '../../src/swap/model.ts';
import { type Erc4626State, mostAssetsOf } from '../../src/swap/pools/erc4626.ts';
import { poolId } from '../../src/swap/pools/pool.ts';

/** The state of a vault with these totals, whose asset is token 0 and whose share is token 1. */
export function erc4626Vault(totals: Pick<Erc4626State, 'shares' | 'assets'>): Erc4626State {
  return {
    kind: 'erc4626',
    id: poolId(address('2')),
    address: address('2'),
    token0: address('1'),
    token1: address('2'),
    blockNumber: 7n,
    isShareToken0: false,
    ...totals,
    mostAssets: mostAssetsOf(totals.assets),
  };
}

function address(digit: string): Address {
  return `0x${digit.repeat(40)}` as Address;
}
