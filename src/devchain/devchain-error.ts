import { DomainError } from '../kernel/domain-error.ts';

/** Why there is no development chain. */
export class DevchainError extends DomainError<'DEVCHAIN_UNAVAILABLE'> {}
