import { DatabaseError } from './database-error.ts';

/** SQLSTATEs of https://www.postgresql.org/docs/current/errcodes-appendix.html */
const conflicts = new Set([
  '25P03' /* idle_in_transaction_session_timeout: rolled back, others have its locks */,
  '40001' /* serialization_failure */,
  '40P01' /* deadlock_detected */,
]);
const unavailable = new Set([
  '53300' /* too_many_connections */,
  '55P03' /* lock_not_available, by lock_timeout */,
  '57014' /* query_canceled, by statement_timeout */,
  '57P01' /* admin_shutdown */,
  '57P02' /* crash_shutdown */,
  '57P03' /* cannot_connect_now */,
]);

/**
 * Gives an error of the driver the code that it has on either engine. The original is not kept as
 * cause: its `detail` repeats the values of the row.
 */
export function toPostgresError(error: unknown): Error {
  if (error instanceof DatabaseError) return error;
  if (!(error instanceof Error)) return new Error('The driver threw no error', { cause: error });
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const details = { postgresCode: code };
  // What has no SQLSTATE did not come from the server: it is the driver's news of a lost connection.
  if (!/^[0-9A-Z]{5}$/.test(code) || code.startsWith('08') || unavailable.has(code)) {
    return new DatabaseError(
      'UNAVAILABLE',
      `PostgreSQL cannot be used (${error.message || code}): check that it runs, that the database URL is right and that it has connections to spare.`,
      { details },
    );
  }
  if (code === '23505') {
    return new DatabaseError('UNIQUE_VIOLATION', `The row is there already: ${error.message}.`);
  }
  if (conflicts.has(code)) {
    return new DatabaseError(
      'CONFLICT',
      `Transactions stood in each other's way (${error.message}): try again.`,
      { details },
    );
  }
  return new DatabaseError(
    'STATEMENT_REFUSED',
    `PostgreSQL refused a statement: ${error.message}.`,
    { details },
  );
}
