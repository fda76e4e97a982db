import type { Address, Hex } from 'viem';

/** A real pool, and the bytes that follow its address in a program. */
export type WorldPool = {
  readonly address: Address;
  readonly kind: number;
  /** The name of its record in `src/swap/pools/pool-kinds.ts`. */
  readonly record: string;
  readonly extra: Hex;
  readonly tokens: readonly [Address, Address];
  /** The token that goes in, if those bytes are for one direction only. */
  readonly tokenIn?: Address;
};
