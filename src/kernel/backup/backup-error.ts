import { DomainError } from '../domain-error.ts';

export type BackupErrorCode =
  /** The target exists, and overwriting it was not allowed. */
  | 'WOULD_OVERWRITE'
  /** The folder of the file is missing or cannot be written to. */
  | 'NOT_WRITABLE'
  /** There is nothing to back up. */
  | 'NO_DATABASE'
  /** The file is not a whole backup. */
  | 'NOT_A_BACKUP'
  /** The key that opens the sealed secrets is missing. */
  | 'KEY_MISSING'
  /** A server uses the database that is to be replaced. */
  | 'SERVER_RUNS'
  /** The database and this program are of different versions. */
  | 'OTHER_VERSION';

/** Why no backup was made or restored. Nothing was changed then. */
export class BackupError extends DomainError<BackupErrorCode> {}
