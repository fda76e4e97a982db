import { DatabaseError } from '../database-error.ts';

/** SQLSTATEs of https://www.postgresql.org/docs/current/errcodes-appendix.html */
const diskFull = '53100';
const conflicts = new Set([
  '25P03' /* idle_in_transaction_session_timeout: rolled back, others have its locks */,
  '40001' /* serialization_failure */,
  '40P01' /* deadlock_detected */,
]);
/** Classes of errors in the server, its disk or the connection, not in the statement. */
const unavailableClasses = new Set([
  '08' /* connection exception */,
  '28' /* invalid authorization */,
  '53' /* insufficient resources, such as too many connections */,
  '57' /* operator intervention, such as a shutdown or a statement_timeout */,
  '58' /* system error, such as an I/O error */,
  'XX' /* internal error, such as a damaged page */,
]);
const unavailable = new Set([
  '25006' /* read_only_sql_transaction */,
  '3D000' /* invalid_catalog_name: the database is gone */,
  '55P03' /* lock_not_available, by lock_timeout */,
]);

/**
 * Maps an error of the driver to the code that both engines share. The original is not kept as
 * cause: its `detail` repeats the values of the row.
 */
export function toPostgresError(error: unknown): Error {
  if (error instanceof DatabaseError) return error;
  if (!(error instanceof Error)) return new Error('The driver threw no error', { cause: error });
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const details = { postgresCode: code };
  if (code === diskFull) {
    return new DatabaseError(
      'UNAVAILABLE',
      `The disk of PostgreSQL is full (${error.message}): make room on it.`,
      { details: { ...details, isDiskFull: true } },
    );
  }
  // An error without SQLSTATE is not from the server: the driver reports a lost connection.
  if (!/^[0-9A-Z]{5}$/.test(code) || isUnavailable(code)) {
    return new DatabaseError(
      'UNAVAILABLE',
      `PostgreSQL cannot be used (${error.message || code}): check that it runs, may be written, has room on its disk and connections to spare, and that the database URL is right.`,
      { details },
    );
  }
  if (code === '23505') {
    return new DatabaseError('UNIQUE_VIOLATION', `The row exists already: ${error.message}.`);
  }
  if (conflicts.has(code)) {
    return new DatabaseError('CONFLICT', `Transactions conflicted (${error.message}): try again.`, {
      details,
    });
  }
  return new DatabaseError(
    'STATEMENT_REFUSED',
    `PostgreSQL refused a statement: ${error.message}.`,
    { details },
  );
}

function isUnavailable(code: string): boolean {
  return unavailableClasses.has(code.slice(0, 2)) || unavailable.has(code);
}

/** Whether the server refuses writes in this session; a new session may write once the server is writable again. */
export function isReadOnlySession(error: unknown): boolean {
  return error instanceof DatabaseError && error.details?.postgresCode === '25006';
}
