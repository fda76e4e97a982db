import { DatabaseError } from '../database-error.ts';
import { openSqliteConnection } from './sqlite-connection.ts';

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
