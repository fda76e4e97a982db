import type { Address } from '../../model.ts';
import type { CommonExchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';
import type { PoolState } from '../pool-state.ts';

/** The vaults of a chain, listed here because nothing on the chain lists them. `factory` is the first of them. */
export type Erc4626Exchange = CommonExchange & {
  readonly kind: 'erc4626';
  readonly vaults: readonly Vault[];
};

/** A vault, which is its own share, and what it is a share of. */
export type Vault = { readonly address: Address; readonly asset: Address };

export type Erc4626Pool = Pool & { readonly kind: 'erc4626' };

/**
 * A vault of ERC-4626 whose price is the quotient of two totals: a deposit of `a` assets makes `a · shares / assets`
 * shares, a redemption the reverse, both rounded down. OpenZeppelin, Solmate and Solady price this way, and differ
 * in what they add to the totals. A vault with a fee does not price this way.
 */
export type Erc4626State = PoolState & {
  readonly kind: 'erc4626';
  /** Whether token 0 is the share, which is the vault itself, and token 1 the asset. */
  readonly isShareToken0: boolean;
  /** The total supply of shares, plus the virtual shares of the vault. */
  readonly shares: bigint;
  /** The total assets of the vault, plus its virtual assets. */
  readonly assets: bigint;
  /** The most assets that we compute with after all deposits of a block; see {@link mostAssetsOf}. */
  readonly mostAssets: bigint;
};

/**
 * Seventeen times what a vault held when it was read. The curve needs an end, and a trade beyond this would dwarf
 * the vault. It does not move with deposits: otherwise several could together give more than the curve, which bounds
 * them all [Q19].
 */
export function mostAssetsOf(assets: bigint): bigint {
  return assets * 17n;
}
