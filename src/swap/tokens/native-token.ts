import type { Address } from '../model/address.ts';

/** The address that stands for a chain's native token, as the quote interface writes it. */
export const nativeToken = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' as Address; // its own checksummed form
