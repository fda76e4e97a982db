export type { DevchainDeployment } from './describe-deployment.ts';
export { DevchainError } from './devchain-error.ts';
export { devchainLimits } from './limits.ts';
export { type Devchain, startDevchain } from './start-devchain.ts';
