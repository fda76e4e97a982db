export type { DevchainDeployment } from './describe-deployment.ts';
export { DevchainError } from './devchain-error.ts';
export { type Devchain, devchainId, startDevchain } from './start-devchain.ts';
