import type { Address } from './address.ts';

/** What a token says of itself. The texts are fit to be shown, and may be empty. */
export type TokenMetadata = {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};
