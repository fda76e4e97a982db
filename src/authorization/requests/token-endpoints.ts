import type { Answer } from '../../kernel/edge/answer.ts';
import type { Endpoint, EndpointCall } from '../../kernel/edge/mount.ts';
import type { PathPolicy } from '../../kernel/edge/paths.ts';
import type { Metrics } from '../../kernel/telemetry/metrics.ts';
import { AuthorizationError, type AuthorizationErrorCode } from '../authorization-error.ts';
import type { AnswerAuthenticated } from '../clients/answer-authenticated.ts';
import { parseGrantType } from '../grants/grant-handlers.ts';
import type { GrantHandler } from '../grants/token-request.ts';
import { answerError, answerJson, noStore } from '../http/answers.ts';
import { endpointPaths } from '../http/endpoint-paths.ts';
import type { PublicJwk } from '../keys/signing-key.ts';
import {
  type Client,
  type ClientId,
  type GrantType,
  type KeepClient,
  needsConsent,
} from '../model/client.ts';
import type { CheckProof } from '../protocol/dpop-proof.ts';
import type { Form } from '../protocol/form.ts';
import type { Introspection } from './introspect-token.ts';

type TokenEndpointsOptions = {
  readonly issuer: string;
  readonly keepClient: KeepClient;
  /** Called for each client that got a token. */
  readonly noteUse: (clientId: ClientId) => void;
  readonly answerAuthenticated: AnswerAuthenticated;
  readonly checkProof: CheckProof;
  readonly handlers: Readonly<Record<GrantType, GrantHandler>>;
  readonly revoke: (client: Client, token: string, caller: string) => Promise<void>;
  readonly introspect: (client: Client, token: string) => Promise<Introspection>;
  readonly publishedKeys: () => readonly PublicJwk[];
  /** Called for each answer and refusal of the token endpoint. */
  readonly observe?: ObserveTokens | undefined;
};

type ObserveTokens = {
  issued(grantType: GrantType): void;
  refused(error: AuthorizationErrorCode): void;
};

/** Pages of any origin may call these, because none of them reads a cookie. */
export const tokenPaths: Readonly<Record<string, PathPolicy>> = {
  [endpointPaths.token]: { origins: 'any' },
  [endpointPaths.revoke]: { origins: 'any' },
  [endpointPaths.introspect]: { origins: 'any' },
  [endpointPaths.jwks]: { origins: 'any' },
};

/** Much shorter than the day by which a key is published before it signs. */
const keySetHeaders = {
  'Content-Type': 'application/jwk-set+json',
  'Cache-Control': 'public, max-age=300',
};

/** The endpoints that issue, introspect and revoke tokens, and the keys to verify them. */
export function createTokenEndpoints(options: TokenEndpointsOptions): readonly Endpoint[] {
  const { issuer, keepClient, answerAuthenticated, checkProof } = options;
  const { handlers, revoke, introspect, publishedKeys, observe } = options;

  return [
    post(endpointPaths.token, giveTokens),
    post(endpointPaths.revoke, async ({ caller }, form, client) => {
      await revoke(client, form.require('token'), caller.key);
      return { status: 200, headers: noStore, body: '' };
    }),
    post(endpointPaths.introspect, async (_, form, client) =>
      answerJson(await introspect(client, form.require('token'))),
    ),
    {
      method: 'GET',
      path: endpointPaths.jwks,
      answer: () => {
        const body = JSON.stringify({ keys: publishedKeys() });
        return { status: 200, headers: keySetHeaders, body };
      },
    },
  ];

  function post(
    path: string,
    work: (call: EndpointCall, form: Form, client: Client) => Promise<Answer>,
  ): Endpoint {
    const answer = async (call: EndpointCall) => {
      try {
        return await answerAuthenticated(call, (form, client) => work(call, form, client));
      } catch (error) {
        if (error instanceof AuthorizationError) observe?.refused(error.code);
        return answerError(error, call.request);
      }
    };
    return { method: 'POST', path, answer };
  }

  async function giveTokens(call: EndpointCall, form: Form, client: Client): Promise<Answer> {
    const { isForeignPage } = call;
    const grantType = parseGrantType(form.require('grant_type'));
    if (isForeignPage && !needsConsent(grantType)) throw noPerson(grantType);
    if (!client.grantTypes.includes(grantType)) throw notAllowed(client, grantType);
    const dpopThumbprint = await readThumbprint(call, client);
    const tokens = await handlers[grantType]({ client, form, dpopThumbprint });
    if (client.isUnused) await keepClient(client.clientId);
    options.noteUse(client.clientId);
    observe?.issued(grantType);
    return answerJson(tokens);
  }

  function readThumbprint(
    { request, caller }: EndpointCall,
    client: Client,
  ): Promise<string> | undefined {
    const proof = request.header('dpop');
    if (proof !== undefined) {
      const url = issuer + endpointPaths.token;
      return checkProof(proof, { method: 'POST', url, caller: caller.key });
    }
    if (!client.requiresDpop) return undefined;
    throw new AuthorizationError(
      'invalid_dpop_proof',
      'The client registered for tokens that are bound to a key: send a DPoP proof.',
    );
  }
}

function noPerson(grantType: GrantType): AuthorizationError {
  return new AuthorizationError(
    'unauthorized_client',
    `A web page of another origin cannot get a token by ${grantType}, since no person consents to it: send the person to the authorization endpoint and redeem the code.`,
  );
}

function notAllowed({ grantTypes }: Client, grantType: GrantType): AuthorizationError {
  return new AuthorizationError(
    'unauthorized_client',
    `The client did not register for the grant ${grantType}, only for ${grantTypes.join(', ')}: register it for this one too.`,
  );
}

/** Counts what the token endpoints give and refuse (T5). */
export function observeTokens(metrics: Metrics): ObserveTokens {
  const issued = metrics.counter({
    name: 'authorization_tokens_total',
    help: 'Answers with an access token, by grant type.',
    labels: ['grant'],
  });
  const refused = metrics.counter({
    name: 'authorization_refusals_total',
    help: 'Requests that the token endpoints refused, by OAuth error.',
    labels: ['error'],
  });
  return {
    issued: (grant) => issued.inc({ grant }),
    refused: (error) => refused.inc({ error }),
  };
}
