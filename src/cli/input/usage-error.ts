import { DomainError, type DomainErrorOptions } from '../../kernel/model/domain-error.ts';

/** The command line was not understood: the message is followed by a pointer to `--help`, exit code 2. */
export class UsageError extends DomainError<'USAGE'> {
  constructor(message: string, options: DomainErrorOptions = {}) {
    super('USAGE', message, options);
  }
}

/** A person ended the command before it was done. Nothing is printed; the exit code is 130, as in shells. */
export class Interrupted extends DomainError<'INTERRUPTED'> {
  constructor() {
    super('INTERRUPTED', 'Interrupted before it was done.');
  }
}
