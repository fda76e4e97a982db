import * as oauth from 'oauth4webapi';
import type { OutboundFetch } from '../../../kernel/outbound-http/create-outbound-fetch.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { ClientError } from '../client-error.ts';
import type { ServerMetadata } from '../discovery/metadata.ts';
import { splitScope } from '../discovery/read-challenges.ts';
import type { ClientKey } from '../options.ts';
import type { Grant, Registration } from '../records.ts';
import { authenticateClient } from '../registration/authenticate-client.ts';
import type { DpopProver } from './dpop.ts';

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
