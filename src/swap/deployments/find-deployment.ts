import type { ChainDeployment } from './deployment.ts';
import { publicDeployments } from './public-deployments.ts';

const byChainId = new Map(publicDeployments.map((chain) => [chain.chainId, chain]));

/** The public chain of that id, if the registry has it. The development chain is never in it. */
export function findDeployment(chainId: number): ChainDeployment | undefined {
  return byChainId.get(chainId);
}
