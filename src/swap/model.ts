import { getAddress } from 'viem/utils';
import type { Brand } from '../kernel/model/brand.ts';
import { DomainError } from '../kernel/model/domain-error.ts';

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

/** What a token reports about itself. The texts are safe to display, and may be empty. */
export type TokenMetadata = {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};

export type SwapErrorCode =
  | 'INVALID_PARAMS'
  | 'UNSUPPORTED_CHAIN'
  | 'RATE_LIMITED'
  | 'UPSTREAM_ERROR'
  | 'INTERNAL_ERROR'
  | 'NOT_FOUND';

/** The one error of this domain: each code has one wire form, and a caller may switch on it. */
export class SwapError extends DomainError<SwapErrorCode> {}

/** Whether an endpoint failed because no endpoint has the block that was named, not yet or no longer. */
export function isBlockUnknown(error: unknown): boolean {
  return error instanceof SwapError && error.details?.blockUnknown === true;
}

/** The address that stands for a chain's native token, as the quote interface writes it. */
export const nativeToken = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' as Address; // its own checksummed form
