import { Hono, type MiddlewareHandler } from 'hono';
import { callOf } from '../../../kernel/http/mount/call-of.ts';
import type { EdgeEnv } from '../../../kernel/http/mount/edge-env.ts';
import type { EndpointCall } from '../../../kernel/http/mount/endpoint.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { CheckProof } from '../../protocol/create-proof-check.ts';
import { type Form, parseForm } from '../../protocol/read-form.ts';
import type { AnswerAuthenticated } from '../clients/authentication/answer-authenticated.ts';
import { noStore } from '../http/no-store.ts';
import type { Client } from '../model/client.ts';
import { endpointPaths } from '../model/endpoint-paths.ts';
import { checkRequest, type RequestRules } from './check-request.ts';
import { checkSize } from './checks/check-size.ts';
import type { PushedRequests } from './create-pushed-requests.ts';

export type PushedRequestRouteOptions = {
  readonly issuer: string;
  readonly rules: RequestRules;
  readonly pushedRequests: Pick<PushedRequests, 'push'>;
  readonly answerAuthenticated: AnswerAuthenticated;
  readonly checkProof: CheckProof;
  readonly limit: MiddlewareHandler<EdgeEnv>;
};

/** The parameters of client authentication, which are not stored with the request. */
const credentials = ['client_secret', 'client_assertion', 'client_assertion_type'];

/**
 * `POST /par` (RFC 9126): a client pushes an authorization request beforehand, so that its parameters do not travel
 * through the browser. It is checked at once, and again when it is used.
 */
export function createPushedRequestRoutes(options: PushedRequestRouteOptions): Hono<EdgeEnv> {
  const { issuer, rules, pushedRequests, answerAuthenticated, checkProof, limit } = options;
  const app = new Hono<EdgeEnv>();

  app.post(endpointPaths.pushedRequest, limit, async (c) => {
    const call = await callOf(c);
    return answerAuthenticated(call, async (form, client) => {
      if (form.get('request_uri') !== undefined) {
        throw new AuthorizationError(
          'invalid_request',
          'A pushed request cannot refer to another: send its parameters.',
        );
      }
      const parameters = await readParameters(call, form, client);
      checkSize(parameters.length);
      await checkRequest(parseForm(parameters), rules);
      const { requestUri, lifetimeSeconds } = await pushedRequests.push(
        client.clientId,
        parameters,
      );
      return c.json({ request_uri: requestUri, expires_in: lifetimeSeconds }, 201, noStore);
    });
  });
  return app;

  /** The parameters to keep: without credentials, with the client and the key that the request proved. */
  async function readParameters(
    { request, caller, body }: EndpointCall,
    form: Form,
    client: Client,
  ): Promise<string> {
    const parameters = new URLSearchParams(body);
    for (const name of credentials) parameters.delete(name);
    parameters.set('client_id', client.clientId);
    const proof = request.header('dpop');
    if (proof === undefined) return parameters.toString();
    const url = issuer + endpointPaths.pushedRequest;
    const thumbprint = await checkProof(proof, { method: 'POST', url, caller: caller.key });
    // RFC 9449 section 10.1: where both are there they must agree.
    if ((form.get('dpop_jkt') ?? thumbprint) !== thumbprint) {
      throw new AuthorizationError(
        'invalid_request',
        'The dpop_jkt names another key than the DPoP proof: send one of them, or the same key.',
      );
    }
    parameters.set('dpop_jkt', thumbprint);
    return parameters.toString();
  }
}
