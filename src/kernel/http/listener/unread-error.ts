import { DomainError } from '../../domain-error.ts';

/** The reasons why input never became a request, each with its HTTP status. */
export const unreadErrorStatus = {
  MALFORMED_REQUEST: 400,
  REQUEST_TIMEOUT: 408,
  HEADERS_TOO_LARGE: 431,
  // RFC 9110 section 9.3.6: a server that is not a proxy does not implement CONNECT.
  NOT_A_PROXY: 501,
} as const satisfies Record<string, number>;

export type UnreadErrorCode = keyof typeof unreadErrorStatus;

/** Something that never became a request: its path is unknown, so no service can write the refusal. */
export class UnreadError extends DomainError<UnreadErrorCode> {}
