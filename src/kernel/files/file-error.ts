import type { Stats } from 'node:fs';
import { DomainError } from '../domain-error.ts';

export type FileErrorCode =
  /** Something else is where a file of ours is expected. */
  | 'NOT_A_FILE'
  /** Root would work in a directory that another user can change, and cannot do so as that user. */
  | 'FOREIGN_DIRECTORY';

/** Why a file or directory was not touched. */
export class FileError extends DomainError<FileErrorCode> {}

/** The kind of something that is no regular file, for people. */
export function describeKind(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isFile() ? 'a file' : 'a device';
}
