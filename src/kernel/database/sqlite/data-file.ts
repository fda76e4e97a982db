import { closeSync, constants, existsSync, fchmodSync } from 'node:fs';
import { join } from 'node:path';
import { FileError, openRegular } from '../../process/regular-file.ts';
import { DatabaseError } from '../database.ts';
import { openSqliteConnection } from './sqlite-connection.ts';

/** Where the embedded database lies in a data directory. */
export function dataFileIn(dataDir: string): string {
  return join(dataDir, 'tradewind.db');
}

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT } = constants;

/**
 * Creates a database file that only its owner can read, or removes all other permissions from an existing
 * one (F19). Files that the engine creates beside it inherit its permissions. The directory alone is no
 * protection: it may have existed before. Throws `NOT_A_FILE` for anything but a file.
 *
 * Ignores other failures: then the file belongs to another user, who decides on its permissions.
 */
export function keepToOwner(path: string): void {
  keep(path, O_WRONLY | O_APPEND | O_CREAT);
  const beside = ['-wal', '-shm', '-journal'].map((ending) => `${path}${ending}`);
  for (const file of beside.filter((name) => existsSync(name))) keep(file, O_RDONLY);
}

function keep(path: string, flags: number): void {
  try {
    const file = openRegular(path, flags, 0o600);
    try {
      fchmodSync(file, 0o600);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    // Opening the database reports what is wrong.
  }
}

/**
 * Locks the database file for this process until the returned function is called or the process
 * ends in any way: the lock is the operating system's. It is taken on a small file beside the
 * database, because the database itself must stay open to this process's second connection.
 *
 * Throws a `DatabaseError` with code `IN_USE` when another process, or this one, holds it already.
 */
export function lockDataFile(path: string): () => void {
  const connection = openSqliteConnection(`${path}.lock`);
  try {
    connection.execute('PRAGMA journal_mode = MEMORY');
    connection.execute('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    throw new DatabaseError(
      'IN_USE',
      `The database file ${path} is in use by another process: stop that process, give this one its own data directory, or run both on PostgreSQL.`,
      { cause: error },
    );
  }
  return () => connection.close();
}
