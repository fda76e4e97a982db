import type { Address, Hex } from 'viem';

/** A real pool, and what a program says of it after its address. */
export type WorldPool = {
  readonly address: Address;
  readonly kind: number;
  readonly extra: Hex;
  readonly tokens: readonly [Address, Address];
  /** Where what a program says of it is of one direction only: the token that goes in. */
  readonly tokenIn?: Address;
};
