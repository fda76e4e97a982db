import { DatabaseError } from '../../database/database-error.ts';
import { EdgeError } from './edge-error.ts';

/** Seconds: as long as it takes to notice that a connection is dead, and to have another. */
export const storeRetryAfter = 10;

/**
 * The refusal that a failure of the store means to a caller, whichever service was asked (D7): it is no
 * fault of the program, and over by itself. `undefined` for every other error. Looks at causes too.
 */
export function explainStoreFailure(error: unknown): EdgeError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof DatabaseError)) continue;
    if (cause.code !== 'UNAVAILABLE' && cause.code !== 'CONFLICT') return undefined;
    return new EdgeError(
      'STORE_UNAVAILABLE',
      'The database of this server does not accept the request now: repeat it in a moment.',
      { cause: error, headers: { 'Retry-After': String(storeRetryAfter) } },
    );
  }
  return undefined;
}
