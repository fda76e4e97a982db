import { DomainError } from '../kernel/model/domain-error.ts';

/**
 * The packages that the development chain runs on. These are development dependencies, because the
 * contracts' code is under licences (GPL, BUSL) that a published package must not carry: users who
 * want the chain install them beside it.
 */
export const devchainPackages = [
  '@nomicfoundation/edr@0.13.0',
  '@cryptoalgebra/v1-core@1.0.0',
  '@pancakeswap/v3-core@1.0.2',
  '@uniswap/swap-router-contracts@1.3.1',
  '@uniswap/v2-core@1.0.1',
  '@uniswap/v2-periphery@1.1.0-beta.0',
  '@uniswap/v3-core@1.0.1',
  '@uniswap/v3-periphery@1.4.4',
  '@uniswap/v4-core@1.0.2',
] as const;

/** Why there is no development chain. */
export class DevchainError extends DomainError<'DEVCHAIN_UNAVAILABLE'> {}
