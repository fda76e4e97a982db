import { DatabaseError } from '../database-error.ts';

/** Result codes of https://www.sqlite.org/rescode.html */
const uniqueViolations = new Set([1555 /* PRIMARYKEY */, 2067 /* UNIQUE */, 2579 /* ROWID */]);
const full = 13;
/** Primary codes of errors in the file, the disk or a foreign lock, not in the statement. */
const unavailable = new Set([
  5 /* BUSY */, 8 /* READONLY */, 10 /* IOERR */, 11 /* CORRUPT */, 14 /* CANTOPEN */,
  26 /* NOTADB */,
]);

/** Maps an error of node:sqlite to the code that both engines share. */
export function toSqliteError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('node:sqlite threw no error', { cause: error });
  if ('code' in error && error.code === 'ERR_OUT_OF_RANGE') {
    return new DatabaseError(
      'STATEMENT_REFUSED',
      `${error.message}: store integers beyond 2^53 as text.`,
    );
  }
  if (!('errcode' in error) || typeof error.errcode !== 'number') return error;
  if (uniqueViolations.has(error.errcode)) {
    return new DatabaseError('UNIQUE_VIOLATION', `The row exists already: ${error.message}.`);
  }
  if ((error.errcode & 0xff) === full) {
    return new DatabaseError(
      'UNAVAILABLE',
      `The disk of the database file is full (${error.message}): make room on it.`,
      { details: { sqliteCode: error.errcode, isDiskFull: true } },
    );
  }
  if (unavailable.has(error.errcode & 0xff)) {
    return new DatabaseError(
      'UNAVAILABLE',
      `The database file cannot be used (${error.message}): check that the disk has room, the file is a database and may be written, and no other tool holds it.`,
      { details: { sqliteCode: error.errcode } },
    );
  }
  return new DatabaseError('STATEMENT_REFUSED', `SQLite refused a statement: ${error.message}.`, {
    details: { sqliteCode: error.errcode },
  });
}
