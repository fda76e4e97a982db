import type { EndpointCall } from '../../../../kernel/http/mount/endpoint.ts';
import type { RateLimiter } from '../../../../kernel/rate-limit/rate-limiter.ts';
import { type Form, readForm } from '../../../protocol/read-form.ts';
import type { Client, FindClient } from '../../model/client.ts';
import { countFailure } from './count-failure.ts';
import type { AuthenticateClient } from './create-client-authentication.ts';
import { readClientCredentials } from './read-client-credentials.ts';

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
