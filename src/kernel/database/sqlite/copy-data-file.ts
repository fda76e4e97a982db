import { closeSync, fsyncSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { DatabaseError } from '../database-error.ts';
import { keepToOwner } from './keep-to-owner.ts';
import { toSqliteError } from './sqlite-error.ts';

export type CopyProgress = (done: { readonly copied: number; readonly total: number }) => void;

/** Pages of 4 KiB. Between two steps other work uses the thread, and progress is reported. */
const pagesInStep = 2_000;
const foreignLockPatience = 5_000;

/**
 * Copies a snapshot of an embedded database, including its write-ahead log, to a file that does not exist yet.
 * The process that has it open can go on writing and is not blocked, but its log grows until the copy is done.
 * Does not check what it copies. Throws `UNAVAILABLE`.
 */
export async function copyDataFile(
  from: string,
  to: string,
  onProgress: CopyProgress = () => {},
): Promise<void> {
  try {
    keepToOwner(to);
    const source = new DatabaseSync(from, { readOnly: true, timeout: foreignLockPatience });
    try {
      // The first read of a transaction fixes what it sees. Without one, each write of another process would
      // restart the copy.
      source.exec('BEGIN');
      source.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
      await backup(source, to, {
        rate: pagesInStep,
        progress: ({ totalPages, remainingPages }) =>
          onProgress({ copied: totalPages - remainingPages, total: totalPages }),
      });
    } finally {
      source.close();
    }
    syncFile(to);
  } catch (error) {
    throw explain(error, from);
  }
}

function explain(error: unknown, from: string): Error {
  const known = toSqliteError(error);
  if (known instanceof DatabaseError) return known;
  return new DatabaseError('UNAVAILABLE', `${from} could not be copied: ${known.message}`, {
    cause: error,
  });
}

/** Waits until what was written to a file is on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
