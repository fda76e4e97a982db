import { DomainError } from '../../kernel/domain-error.ts';

/** A person ended the command before it was done. Nothing is told of it: the exit code is that of shells, 130. */
export class Interrupted extends DomainError<'INTERRUPTED'> {
  constructor() {
    super('INTERRUPTED', 'Interrupted before it was done.');
  }
}
