import { DomainError } from '../../kernel/domain-error.ts';

export type SwapErrorCode =
  | 'INVALID_PARAMS'
  | 'UNSUPPORTED_CHAIN'
  | 'RATE_LIMITED'
  | 'UPSTREAM_ERROR'
  | 'INTERNAL_ERROR'
  | 'NOT_FOUND';

/** The one error of this domain: each code has one wire form, and a caller may switch on it. */
export class SwapError extends DomainError<SwapErrorCode> {}

/** Whether an endpoint failed because no endpoint has the block that was named, not yet or no longer. */
export function isBlockUnknown(error: unknown): boolean {
  return error instanceof SwapError && error.details?.blockUnknown === true;
}
