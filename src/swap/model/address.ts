import { getAddress } from 'viem/utils';
import type { Brand } from '../../kernel/brand.ts';

/** A checksummed account or contract address. */
export type Address = Brand<`0x${string}`, 'Address'>;

/**
 * Gives an address its EIP-55 checksum. The letters may come in any case: a checksum in the text is
 * not checked. Throws viem's `InvalidAddressError` for anything but 0x and 20 bytes in hexadecimal.
 */
export function parseAddress(text: string): Address {
  // Holds because this is the one place where the brand is given.
  return getAddress(text) as Address;
}
