import { DatabaseError } from '../../database/database-error.ts';
import { EdgeError } from './edge-error.ts';

/** Seconds: enough to notice that a connection is dead and to open another. */
export const storeRetryAfter = 10;

/**
 * Turns a failure of the store into a refusal, whichever service was asked (D7): it is not a bug, and
 * it passes by itself. Returns `undefined` for every other error. Searches the chain of causes too.
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
