import type { Address } from './address.ts';

/** What a token reports about itself. The texts are safe to display, and may be empty. */
export type TokenMetadata = {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};
