import { DomainError } from '../kernel/domain-error.ts';

export type ContextErrorCode =
  | 'AMBIGUOUS_TOKEN'
  | 'NOT_A_PAIR'
  | 'TOO_MANY_WATCHES'
  | 'UNKNOWN_TOKEN';

/** The one error of this domain. Its message is for an agent that can correct its call. */
export class ContextError extends DomainError<ContextErrorCode> {}
