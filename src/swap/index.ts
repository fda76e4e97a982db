export { type Address, parseAddress } from './address.ts';
export { swapSettings } from './config.ts';
export { createSwap, type Swap } from './create-swap.ts';
export type { ChainDeployment } from './deployments/deployment.ts';
export type { DevelopmentChain } from './development-chain.ts';
export { swapMigrations } from './store/swap-migrations.ts';
