import { DomainError } from '../../kernel/domain-error.ts';

/** A person ended the command before it was done. Nothing is printed; the exit code is 130, as in shells. */
export class Interrupted extends DomainError<'INTERRUPTED'> {
  constructor() {
    super('INTERRUPTED', 'Interrupted before it was done.');
  }
}
