import type { Address } from '../model.ts';

/** The facts of an exchange that every kind has. */
export type CommonExchange = {
  /** Unique on the chain, in kebab case: `uniswap-v3`. */
  readonly name: string;
  /** The contract that makes its pools, or holds all of them. */
  readonly factory: Address;
  /** Where these facts come from. */
  readonly source: string;
  /**
   * Set if the contracts are in no package. Test runs then check our arithmetic against swaps that were recorded on
   * the contracts, not against the contracts.
   */
  readonly provenBy?: 'recorded-swaps';
};

/** An exchange whose pools have addresses that follow from their tokens. */
export type Create2Exchange = CommonExchange & {
  /** The account that deploys the pools with CREATE2, if it is not the factory. */
  readonly poolDeployer?: Address;
  readonly initCodeHash: `0x${string}`;
  /** Set where CREATE2 is not that of the EVM: ZKsync derives addresses in another way. */
  readonly create2?: 'zksync';
};
