// The door of the domain. It stays light: the service itself is loaded when a process opens it.

import type { Swap, SwapOptions } from './create-swap.ts';

export { swapScopes, swapSettings } from './config.ts';
export type { ChainDeployment } from './deployments/deployment.ts';
export { type DevelopmentChain, developmentChainId } from './deployments/deployment.ts';
export {
  create2Deployer,
  type ExecutorBuild,
  executorBuilds,
  type FormerExecutor,
  formerExecutors,
} from './executor/executor-builds.ts';
export { nativeToken } from './model.ts';
export { swapMigrations } from './store/swap-migrations.ts';
export type { Swap };

/** The swap service, loaded only by a process that runs it: its libraries are half of the memory. */
export async function openSwap(options: SwapOptions): Promise<Swap> {
  const { createSwap } = await import('./create-swap.ts');
  return createSwap(options);
}
