import { DomainError } from '../domain-error.ts';

/** The NATS server cannot be used. Messages name its host and never the credentials. */
export class NatsError extends DomainError<
  /** Nobody answers there, or not as NATS does. */
  | 'UNREACHABLE'
  /** The credentials are refused, or something needed is not allowed with them. */
  | 'NOT_ALLOWED'
  /** It keeps no streams. */
  | 'WITHOUT_JETSTREAM'
> {}
