import { EdgeError } from '../../../../kernel/http/messages/edge-error.ts';
import type { RateLimiter } from '../../../../kernel/rate-limit/rate-limiter.ts';
import { count } from '../../../../kernel/text/count.ts';
import { AuthorizationError, noneIfRefused } from '../../../authorization-error.ts';
import type { FindClient } from '../../model/client.ts';

/** Not counted, because a device that waits between polls gets it; `slow_down` is counted. */
const patience = 'authorization_pending';

/**
 * Counts a failure for the client and the caller, and returns what to answer: the failure itself, or `RATE_LIMITED`
 * after too many (R6). Successes are not counted, so a correct request is answered however many failed before it.
 * An unknown client shares the bucket of its caller, so that made-up ids get no fresh buckets.
 */
export async function countFailure(
  error: unknown,
  options: {
    readonly limiter: RateLimiter;
    readonly findClient: FindClient;
    readonly caller: string;
    readonly clientId: string;
  },
): Promise<unknown> {
  if (!(error instanceof AuthorizationError) || error.code === patience) return error;
  const { limiter, findClient, caller, clientId } = options;
  // The URL of a document that describes no client counts as an unknown id.
  const isKnown = (await findClient(clientId).catch(noneIfRefused)) !== undefined;
  const key = isKnown ? `${caller} ${clientId}` : caller;
  const { isAllowed, retryAfterSeconds } = await limiter.take(key);
  if (isAllowed) return error;
  return new EdgeError(
    'RATE_LIMITED',
    `Too many requests failed: wait ${count(retryAfterSeconds, 'second')}, and correct what the earlier answers named.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) }, cause: error },
  );
}
