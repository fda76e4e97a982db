import { Hono, type MiddlewareHandler } from 'hono';
import { hashSecret } from '../../kernel/crypto/hash.ts';
import type { Database } from '../../kernel/database/database.ts';
import { callOf, type EdgeEnv, type EndpointCall } from '../../kernel/edge/mount.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { AnswerAuthenticated } from '../clients/answer-authenticated.ts';
import { noStore } from '../http/answers.ts';
import { endpointPaths } from '../http/endpoint-paths.ts';
import type { Client, ClientId } from '../model/client.ts';
import type { CheckProof } from '../protocol/dpop-proof.ts';
import { type Form, parseForm } from '../protocol/form.ts';
import { insertPushedRequest, takePushedRequest } from '../store/request-store.ts';
import { checkRequest, checkSize, type RequestRules } from './check-request.ts';

/** Pushed authorization requests (RFC 9126). */
export type PushedRequests = {
  /** Stores the parameters of a client and returns the name by which the browser refers to them. */
  push(
    clientId: ClientId,
    parameters: string,
  ): Promise<{ requestUri: string; lifetimeSeconds: number }>;
  /**
   * Returns the pushed parameters that a request refers to, which works once, or the request's own
   * parameters if it refers to none. Throws `invalid_request_uri` for a name that is unknown, used,
   * expired or another client's.
   */
  take(form: Form): Promise<Form>;
};

const prefix = 'urn:ietf:params:oauth:request_uri:';
/** The browser follows at once; RFC 9126 section 2.2 speaks of 5 to 600 seconds. */
const lifetimeSeconds = 90;

export function createPushedRequests(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
}): PushedRequests {
  const { database, clock, random } = options;
  return {
    async push(clientId, parameters) {
      const id = drawText(random, 32);
      const expiresAt = clock.now() + lifetimeSeconds * 1_000;
      await insertPushedRequest(database, hashSecret(id), { clientId, parameters, expiresAt });
      return { requestUri: `${prefix}${id}`, lifetimeSeconds };
    },
    async take(form) {
      const requestUri = form.get('request_uri');
      if (requestUri === undefined) return form;
      const idHash = hashSecret(requestUri.slice(prefix.length));
      const clientId = form.get('client_id') ?? '';
      const parameters = requestUri.startsWith(prefix)
        ? await takePushedRequest(database, { idHash, clientId, now: clock.now() })
        : undefined;
      if (parameters !== undefined) return parseForm(parameters);
      throw new AuthorizationError(
        'invalid_request_uri',
        'The pushed request is gone: it works once, within 90 seconds, and for its own client. The program that sent you here must start again.',
      );
    },
  };
}

type PushedRequestRouteOptions = {
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
