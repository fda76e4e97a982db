import { EdgeError } from '../../kernel/edge/edge-error.ts';
import type { EndpointCall } from '../../kernel/edge/mount.ts';
import type { RateLimiter } from '../../kernel/edge/rate-limiter.ts';
import { count } from '../../kernel/text/text.ts';
import { AuthorizationError, noneIfRefused } from '../authorization-error.ts';
import type { Client, FindClient } from '../model/client.ts';
import { type Form, readForm } from '../protocol/form.ts';
import type { AuthenticateClient } from './client-authentication.ts';
import { readClientCredentials } from './client-credentials.ts';

/** Answers a form that a client sent, once it has authenticated. */
export type AnswerAuthenticated = <T>(
  call: EndpointCall,
  work: (form: Form, client: Client) => Promise<T>,
) => Promise<T>;

/**
 * The common steps of the client endpoints: read the form, authenticate the client, and count a
 * failure of the authentication or of the work (R6).
 */
export function createAuthenticatedAnswers(options: {
  readonly findClient: FindClient;
  readonly authenticateClient: AuthenticateClient;
  /** Buckets of failures. */
  readonly limiter: RateLimiter;
}): AnswerAuthenticated {
  const { findClient, authenticateClient, limiter } = options;
  return async ({ request, caller, body }, work) => {
    const form = readForm(request.header('content-type'), body);
    const credentials = readClientCredentials(request.header('authorization'), form);
    try {
      return await work(form, await authenticateClient(credentials, caller.key));
    } catch (error) {
      const { clientId } = credentials;
      throw await countFailure(error, { limiter, findClient, caller: caller.key, clientId });
    }
  };
}

/** Not counted, because a device that waits between polls gets it; `slow_down` is counted. */
const patience = 'authorization_pending';

/**
 * Counts a failure for the client and the caller, and returns what to answer: the failure itself, or `RATE_LIMITED`
 * after too many (R6). Successes are not counted, so a correct request is answered however many failed before it.
 * An unknown client shares the bucket of its caller, so that made-up ids get no fresh buckets.
 */
async function countFailure(
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
