import type { Address } from '../address.ts';

/** An exchange on a chain, as far as every kind has it. */
export type CommonExchange = {
  /** Unique on the chain, in kebab case: `uniswap-v3`. */
  readonly name: string;
  /** The contract that makes its pools, or holds all of them. */
  readonly factory: Address;
  /** Where these facts come from. */
  readonly source: string;
  /**
   * Set where the contracts are in no package: our arithmetic is then held against swaps that were recorded on them,
   * and not against the contracts in every test run.
   */
  readonly provenBy?: 'recorded-swaps';
};

/** One whose pools stand at addresses that follow from their tokens. */
export type Create2Exchange = CommonExchange & {
  /** The account that CREATE2 addresses of pools count from, where it is not the factory. */
  readonly poolDeployer?: Address;
  readonly initCodeHash: `0x${string}`;
  /** Set where CREATE2 is not that of the EVM: ZKsync derives addresses in another way. */
  readonly create2?: 'zksync';
};
