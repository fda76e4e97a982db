import { DomainError } from '../../kernel/domain-error.ts';

/** A server could not be asked, or refused; then `code` is the server's own. */
export class ServerError extends DomainError {}
