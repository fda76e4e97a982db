import { getAddress } from 'viem/utils';
import type { Brand } from '../kernel/brand.ts';

/** A checksummed account or contract address. */
export type Address = Brand<`0x${string}`, 'Address'>;

/**
 * Gives an address its EIP-55 checksum. The letters may come in any case, but mixed case must be the
 * right one: throws viem's `InvalidAddressError` for that and for anything else that is not 20 bytes
 * in hexadecimal.
 */
export function parseAddress(text: string): Address {
  // Holds because this is the one place where the brand is given.
  return getAddress(text) as Address;
}
