import { DomainError } from '../domain-error.ts';

/** A sealed secret, or the key that seals them all, cannot be opened with what this process has. */
export class SealError extends DomainError<'NOT_OPENED'> {}
