import { DomainError } from '../domain-error.ts';

export type OutboundErrorCode =
  | 'INVALID_URL'
  | 'ADDRESS_REFUSED'
  | 'NAME_NOT_FOUND'
  | 'CONNECT_FAILED'
  | 'TLS_FAILED'
  | 'CONNECTION_LOST'
  | 'INVALID_RESPONSE'
  | 'RESPONSE_TOO_LARGE'
  | 'TIMED_OUT';

/**
 * Why a call to an address that a user gave brought no answer. Messages name the origin and never the
 * path or query, where webhooks carry their secrets; nor the address that a name resolved to, which
 * would let anyone query the internal DNS.
 */
export class OutboundError extends DomainError<OutboundErrorCode> {}
