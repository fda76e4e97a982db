import { DomainError, type DomainErrorOptions } from '../../kernel/domain-error.ts';

/** The command line was not understood: the message is followed by a pointer to `--help`, exit code 2. */
export class UsageError extends DomainError<'USAGE'> {
  constructor(message: string, options: DomainErrorOptions = {}) {
    super('USAGE', message, options);
  }
}
