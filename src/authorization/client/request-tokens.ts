import { importJWK, importPKCS8 } from 'jose';
import * as oauth from 'oauth4webapi';
import type { OutboundFetch } from '../../kernel/outbound/outbound-fetch.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { splitScope } from './challenges.ts';
import type { ClientContext } from './client-context.ts';
import { ClientError } from './client-error.ts';
import type { Discovery, ServerMetadata } from './discover.ts';
import type { DpopProver } from './dpop.ts';
import type { ClientKey } from './options.ts';
import type { Grant, Registration } from './records.ts';

/** What every call of the token endpoint needs. */
export type TokenEndpoint = {
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  readonly metadata: ServerMetadata;
  readonly registration: Registration;
  readonly key?: ClientKey | undefined;
  /** Given where the token shall be bound to its key. */
  readonly dpop?: DpopProver | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Calls the token endpoint with one grant type and returns the grant. `scope` applies if the answer
 * omits it (RFC 6749 section 5.1). oauth4webapi checks the answer. Undefined parameters are not sent.
 *
 * Throws `AUTHORIZATION_REFUSED` with the server's own code as `details.error`, and `UNREACHABLE`.
 */
export async function requestTokens(
  tokenEndpoint: TokenEndpoint,
  request: {
    grantType: string;
    parameters: Readonly<Record<string, string | undefined>>;
    scope: readonly string[];
  },
): Promise<Grant> {
  const { metadata, registration, clock, dpop } = tokenEndpoint;
  const tokens = await askWithNonce().catch((error) => {
    throw explainRefusal(error, metadata);
  });
  return {
    client: registration,
    accessToken: tokens.access_token,
    // The library accepts no other type.
    tokenType: tokens.token_type as Grant['tokenType'],
    scope: tokens.scope === undefined ? request.scope : splitScope(tokens.scope),
    ...(tokens.expires_in === undefined
      ? {}
      : { expiresAt: clock.now() + tokens.expires_in * 1_000 }),
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    ...(dpop === undefined ? {} : { dpopKey: { ...dpop.key } }),
  };

  async function askWithNonce() {
    try {
      return await ask(tokenEndpoint, request);
    } catch (error) {
      if (dpop === undefined || !oauth.isDPoPNonceError(error)) throw error;
      const { response } = error as oauth.ResponseBodyError; // what the check above tells
      return ask(tokenEndpoint, request, response.headers.get('dpop-nonce') ?? undefined);
    }
  }
}

async function ask(
  tokenEndpoint: TokenEndpoint,
  { grantType, parameters }: Parameters<typeof requestTokens>[1],
  nonce?: string,
) {
  const { metadata, registration, dpop, signal } = tokenEndpoint;
  const client = { client_id: registration.clientId };
  const url = metadata.token_endpoint;
  const headers: Record<string, string> =
    dpop === undefined ? {} : { dpop: await dpop.prove({ method: 'POST', url, nonce }) };
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const response = await oauth.genericTokenEndpointRequest(
    toLibrary(metadata),
    client,
    await authenticateClient(tokenEndpoint),
    grantType,
    Object.fromEntries(given),
    { ...libraryOptions(tokenEndpoint.fetch, signal), headers },
  );
  return oauth.processGenericTokenEndpointResponse(toLibrary(metadata), client, response);
}

/** The library's settings: our own fetch, which itself refuses plain HTTP except on this machine. */
export function libraryOptions(fetch: OutboundFetch, signal: AbortSignal | undefined) {
  return {
    [oauth.customFetch]: fetch,
    [oauth.allowInsecureRequests]: true,
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Metadata in the library's type, in which members are absent that may be `undefined` in ours. */
export function toLibrary(metadata: ServerMetadata): oauth.AuthorizationServer {
  return JSON.parse(JSON.stringify(metadata));
}

/** Whether the authorization server refused with one of these codes. */
export function isRefusal(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof ClientError &&
    error.code === 'AUTHORIZATION_REFUSED' &&
    codes.includes(String(error.details?.error))
  );
}

/** Gives a failure of the token endpoint a code and a message without secrets. */
export function explainRefusal(error: unknown, { issuer }: ServerMetadata): unknown {
  if (error instanceof oauth.ResponseBodyError) {
    return refused(issuer, error.error, error.error_description);
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const parameters = error.cause[0]?.parameters;
    return refused(
      issuer,
      parameters?.error ?? 'invalid_client',
      parameters?.error_description ?? unknownClient,
    );
  }
  const isUnfit =
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError;
  if (!isUnfit) return error;
  // The causes of these errors contain the whole answer, including tokens, so they are dropped.
  return new ClientError(
    'INVALID_ANSWER',
    `${issuer} answered with an invalid token response: ${error.message}.`,
  );
}

/** The reason for a 401 (RFC 6749 section 5.2), whose body the library does not read. */
const unknownClient = 'the client is unknown there, or its credentials are wrong: check them';

function refused(issuer: string, error: string, description: string | undefined): ClientError {
  const text = description === undefined ? '' : `: ${description}`;
  return new ClientError('AUTHORIZATION_REFUSED', `${issuer} refused (${error}${text}).`, {
    details: { error },
  });
}

/** The token endpoint as one registration sees it; the configured key belongs to the configured client. */
export function createTokenEndpoint(
  { fetch, clock, options }: ClientContext,
  request: {
    discovery: Discovery;
    registration: Registration;
    dpop: DpopProver | undefined;
    signal?: AbortSignal | undefined;
  },
): TokenEndpoint {
  const { discovery, registration, dpop, signal } = request;
  const key = registration.isDynamic ? undefined : options.clientKey;
  return { fetch, clock, metadata: discovery.metadata, registration, key, dpop, signal };
}

/**
 * How a client authenticates at the token endpoint: with its key, if it has one; else by its
 * registered method; else by the first method that the server accepts, by default
 * `client_secret_basic` (RFC 8414 section 2). A client without a secret sends only its id.
 */
export async function authenticateClient(options: {
  metadata: ServerMetadata;
  registration: Registration;
  key?: ClientKey | undefined;
}): Promise<oauth.ClientAuth> {
  const { metadata, registration, key } = options;
  if (key !== undefined) return oauth.PrivateKeyJwt(await importKey(key));
  const { clientSecret, authenticationMethod } = registration;
  const method = authenticationMethod ?? firstAccepted(metadata);
  if (clientSecret === undefined || method === 'none') return oauth.None();
  return method === 'client_secret_post'
    ? oauth.ClientSecretPost(clientSecret)
    : secretBasic(clientSecret);
}

function firstAccepted({ token_endpoint_auth_methods_supported: accepted }: ServerMetadata) {
  const known = ['client_secret_basic', 'client_secret_post', 'none'];
  return known.find((method) => accepted?.includes(method)) ?? 'client_secret_basic';
}

/**
 * RFC 6749 section 2.3.1, with form encoding as browsers do it. The library also escapes the hyphen,
 * which servers that skip the decoding do not understand.
 */
function secretBasic(clientSecret: string): oauth.ClientAuth {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return (_server, client, _body, headers) => {
    const credentials = `${encode(client.client_id)}:${encode(clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };
}

async function importKey({ privateKey, algorithm, keyId }: ClientKey): Promise<oauth.PrivateKey> {
  const key =
    typeof privateKey === 'string'
      ? await importPKCS8(privateKey, algorithm)
      : await importJWK(privateKey, algorithm);
  if (key instanceof Uint8Array) {
    throw new TypeError(
      'The private key is a shared secret: give an asymmetric key, such as ES256.',
    );
  }
  return keyId === undefined ? { key } : { key, kid: keyId };
}
