import { DomainError } from '../domain-error.ts';

export type DatabaseErrorCode =
  /** A row with this unique key is there already. */
  | 'UNIQUE_VIOLATION'
  /** Transactions conflicted several times; nothing was written. */
  | 'CONFLICT'
  /** The database cannot be reached or cannot write; whether a write happened is not known. */
  | 'UNAVAILABLE'
  /** The caller left before its turn came; nothing was done. */
  | 'ABANDONED'
  /** Another process holds the embedded file. */
  | 'IN_USE'
  /** The schema in the database does not match the migrations of this program. */
  | 'MIGRATION_REFUSED'
  /** The program broke a rule of the port. */
  | 'MISUSED'
  /** The engine refused a statement for any other reason. */
  | 'STATEMENT_REFUSED';

/** What can go wrong between this program and its database. Messages hold no values of rows. */
export class DatabaseError extends DomainError<DatabaseErrorCode> {}

/** Whether the error says that the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.details?.isDiskFull === true;
}

/** Whether the error says that a row with this unique key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'UNIQUE_VIOLATION';
}
