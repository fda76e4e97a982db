import { DomainError } from '../../domain-error.ts';

export type ListenerErrorCode =
  | 'PLAIN_HTTP_REFUSED'
  | 'HOST_UNKNOWN'
  | 'PORT_IN_USE'
  | 'PORT_FORBIDDEN'
  | 'ADDRESS_UNAVAILABLE'
  | 'TLS_FILES_UNUSABLE'
  | 'LISTEN_FAILED';

/** Why the server does not listen. Its reader is the operator: the message says which setting to change. */
export class ListenerError extends DomainError<ListenerErrorCode> {}
