// The door of the domain. It stays light: the service itself is loaded when a process opens it.
export { swapSettings } from './config.ts';
export type { Swap } from './create-swap.ts';
export type { ChainDeployment } from './deployments/deployment.ts';
export { type DevelopmentChain, developmentChainId } from './development-chain.ts';
export { create2Deployer, type ExecutorBuild, executorBuilds } from './executor/executor-builds.ts';
export { openSwap } from './open-swap.ts';
export { swapScopes } from './scopes.ts';
export { swapMigrations } from './store/swap-migrations.ts';
export { nativeToken } from './tokens/native-token.ts';
