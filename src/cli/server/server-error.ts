import { DomainError } from '../../kernel/domain-error.ts';

/** A server could not be reached, gave an unusable answer, or refused. A refusal has the server's own `code`. */
export class ServerError extends DomainError {}
