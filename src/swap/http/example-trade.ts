import type { Address } from '../address.ts';

/** A trade that this server quotes, for samples and pages. */
export type ExampleTrade = {
  readonly chainId: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amount: bigint;
  readonly sender: Address;
};
