import { z } from 'zod';
import type { Operation, Service } from '../kernel/edge/operation.ts';
import { clientFields } from './clients/parse-client-metadata.ts';
import { endpointPaths } from './http/endpoint-paths.ts';
import { pageOperations } from './people/pages/page-operations.ts';

const text = z.string().optional();
const document = (id: string, fields: z.ZodRawShape = {}) => z.looseObject(fields).meta({ id });

const refusals = {
  400: 'The request is invalid: `error` is an OAuth error code.',
  401: '`invalid_client` or `invalid_token`: the credentials are wrong or missing.',
  403: 'The page, the host or the scope is not allowed.',
  413: 'The body is too large.',
  429: 'Retry-After says how many seconds to wait.',
  503: '`temporarily_unavailable`: try again in a moment.',
};

type Given = Pick<Operation, 'id' | 'method' | 'path' | 'summary'> & Partial<Operation>;

const declare = (given: Given): Operation => ({
  description: `${given.summary}.`,
  parameters: z.object({}),
  answer: {},
  scopes: [],
  errors: refusals,
  ...given,
});

const form = (fields: z.ZodRawShape) => ({
  types: ['application/x-www-form-urlencoded'] as const,
  schema: z.object(fields),
});

const clientCredentials = {
  client_id: text.describe('The client.'),
  client_secret: text.describe('The client secret, if it is not in the Authorization header.'),
  client_assertion_type: text.describe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
  client_assertion: text.describe('A JWT signed by the client.'),
};

const authorizationRequest = {
  response_type: text.describe('code'),
  client_id: text.describe('The client.'),
  redirect_uri: text.describe(
    'The URI that the answer goes to; the client must have registered it.',
  ),
  scope: text.describe('The scopes that the client asks for.'),
  state: text.describe('Returned unchanged with the answer.'),
  code_challenge: text.describe('PKCE: the hash of the verifier.'),
  code_challenge_method: text.describe('S256'),
  resource: text.describe('What the token is for (RFC 8707).'),
  response_mode: text.describe('query, the only supported mode.'),
  prompt: text.describe('none, login, consent or select_account.'),
  max_age: text.describe('How many seconds ago the person may have signed in at most.'),
  login_hint: text.describe('The name of the person who is likely to sign in.'),
  dpop_jkt: text.describe('Thumbprint of the key that tokens are bound to.'),
  request: text.describe('Refused: request objects are not supported.'),
};

const dpop = z.object({ dpop: text.describe('A proof of the key that tokens are bound to.') });
const clientBody = { types: ['application/json'] as const, schema: clientFields };
const client = document('Client', { client_id: z.string() });
const resourceMetadata = document('ProtectedResource', { resource: z.string() });
const wellKnown = [
  { name: 'oauth-authorization-server', summary: 'Metadata of the authorization server' },
  { name: 'openid-configuration', summary: 'The same metadata, where OpenID Connect looks for it' },
] as const;

/** What programs call (RFC 6749, 7009, 7591, 7592, 7662, 8414, 8628, 9126, 9728). */
const oauthOperations: readonly Operation[] = [
  ...wellKnown.flatMap(({ name, summary }) => {
    const schema = document(`${name}Metadata`, { issuer: z.string() });
    const about = { method: 'GET', answer: { schema } } as const;
    return [
      declare({ ...about, id: name, path: `/.well-known/${name}`, summary }),
      declare({
        ...about,
        id: `${name}.of`,
        path: `/.well-known/${name}/{resource=**}`,
        summary: `${summary}, for one resource`,
      }),
    ];
  }),
  ...(['', '/{resource=**}'] as const).map((below) =>
    declare({
      id: `protectedResource${below === '' ? '' : '.of'}`,
      method: 'GET',
      path: `/.well-known/oauth-protected-resource${below}`,
      summary: below === '' ? 'Metadata of the server as a resource' : 'Metadata of one resource',
      answer: { schema: resourceMetadata },
      errors: { ...refusals, 404: 'Nothing is protected at this path.' },
    }),
  ),
  declare({
    id: 'requestToken',
    method: 'POST',
    path: endpointPaths.token,
    summary: 'Get tokens',
    headers: dpop,
    body: form({
      grant_type: text.describe('The kind of grant.'),
      code: text.describe('The code that the authorization request returned.'),
      redirect_uri: text.describe('The same as in the authorization request.'),
      code_verifier: text.describe('PKCE: the verifier that the challenge was made from.'),
      refresh_token: text.describe('The token to renew.'),
      device_code: text.describe('The code that the device authorization returned.'),
      scope: text.describe('Some of the granted scopes.'),
      resource: text.describe('What the token is for.'),
      ...clientCredentials,
    }),
    answer: { schema: document('Tokens', { access_token: z.string(), token_type: z.string() }) },
  }),
  declare({
    id: 'revokeToken',
    method: 'POST',
    path: endpointPaths.revoke,
    summary: 'Revoke a token',
    body: form({ token: text, token_type_hint: text, ...clientCredentials }),
  }),
  declare({
    id: 'introspectToken',
    method: 'POST',
    path: endpointPaths.introspect,
    summary: 'Introspect a token',
    body: form({ token: text, token_type_hint: text, ...clientCredentials }),
    answer: { schema: document('Introspection', { active: z.boolean() }) },
  }),
  declare({
    id: 'getKeys',
    method: 'GET',
    path: endpointPaths.jwks,
    summary: 'Keys that tokens are signed with',
    answer: {
      schema: document('KeySet', { keys: z.array(z.looseObject({})) }),
      type: 'application/jwk-set+json',
    },
  }),
  declare({
    id: 'pushAuthorizationRequest',
    method: 'POST',
    path: endpointPaths.pushedRequest,
    summary: 'Push an authorization request',
    headers: dpop,
    body: form({ ...authorizationRequest, request_uri: text, ...clientCredentials }),
    answer: { status: 201, schema: document('PushedRequest', { request_uri: z.string() }) },
  }),
  declare({
    id: 'authorizeDevice',
    method: 'POST',
    path: endpointPaths.deviceAuthorization,
    summary: 'Start the device flow',
    body: form({ scope: text, resource: text, ...clientCredentials }),
    answer: { schema: document('DeviceCode', { device_code: z.string() }) },
  }),
  declare({
    id: 'registerClient',
    method: 'POST',
    path: endpointPaths.register,
    summary: 'Register a client',
    body: clientBody,
    answer: { status: 201, schema: client },
  }),
  declare({
    id: 'listClients',
    method: 'GET',
    path: endpointPaths.register,
    summary: 'List the clients, for the operator',
    parameters: z.object({
      limit: text.describe('How many clients at most.'),
      after: text.describe('The client id after which the list begins.'),
    }),
    answer: { schema: document('ClientList', { clients: z.array(z.looseObject({})) }) },
  }),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
    declare({
      id: { GET: 'getClient', PUT: 'updateClient', DELETE: 'deleteClient' }[method],
      method,
      path: `${endpointPaths.register}/{clientId}`,
      summary: { GET: 'Get a client', PUT: 'Change a client', DELETE: 'Delete a client' }[method],
      ...(method === 'PUT' ? { body: clientBody } : {}),
      answer: method === 'DELETE' ? { status: 204 } : { schema: client },
    }),
  ),
  declare({
    id: 'authorize',
    method: 'GET',
    path: endpointPaths.authorize,
    summary: 'Ask a person for consent',
    parameters: z.object({ ...authorizationRequest, request_uri: text }),
    answer: { status: 303, type: 'text/html' },
  }),
  declare({
    id: 'authorizeByPost',
    method: 'POST',
    path: endpointPaths.authorize,
    summary: 'Ask a person for consent',
    body: form({ ...authorizationRequest, request_uri: text }),
    answer: { status: 303, type: 'text/html' },
  }),
];

const error = z
  .object({
    error: z.string().describe('The OAuth error code, for programs.'),
    error_description: z.string().optional().describe('The explanation, for people.'),
  })
  .meta({ id: 'OAuthError', description: 'What every refusal looks like (RFC 6749 section 5.2).' });

/**
 * The description of the authorization server. Its endpoints are plain functions because they are
 * hot paths (decision 15). These declarations state what each endpoint reads and answers; they do
 * not route requests.
 */
export const authorizationService: Service = {
  name: 'Authorization',
  description:
    'OAuth 2.1 for agents and other clients: people sign in and say what a client may do.',
  error,
  operations: [...oauthOperations, ...pageOperations],
};
