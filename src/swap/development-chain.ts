import type { ChainDeployment } from './deployments/deployment.ts';
import type { Address } from './model/address.ts';

/** The id that development chains usually have. */
export const developmentChainId = 31337;

/** A chain that runs in this process for development: fresh at each start, known to no registry. */
export type DevelopmentChain = {
  readonly deployment: ChainDeployment;
  /** Where this server itself answers for the chain. */
  readonly rpcUrl: string;
  /** The same with credentials by which the chain knows this server's own calls; never shown. */
  readonly ownUrl: string;
  readonly tokens: readonly Address[];
  /** An account that holds every token. */
  readonly account: Address;
};
