export type { DevchainDeployment } from './describe-deployment.ts';
export { DevchainError, devchainPackages } from './devchain-packages.ts';
export { devchainLimits } from './limits.ts';
export { type Devchain, startDevchain } from './start-devchain.ts';
