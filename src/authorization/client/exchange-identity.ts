import { z } from 'zod';
import { parseJson } from '../../kernel/text/json.ts';
import { ClientError } from './client-error.ts';
import { createDiscoveryFetch } from './discovery-fetch.ts';
import type { AssertionTarget } from './options.ts';

const tokenTypes = 'urn:ietf:params:oauth:token-type';
const answerSchema = z.looseObject({
  access_token: z.string().min(1),
  issued_token_type: z.literal(`${tokenTypes}:id-jag`),
});

/**
 * The identity provider at which a person has signed in already, and their ID token.
 *
 * @example
 * ```ts
 * import type { IdentityProvider } from 'tradewind/client';
 *
 * export const provider: IdentityProvider = {
 *   tokenEndpoint: 'https://login.example.com/token',
 *   clientId: 'desktop',
 *   idToken: process.env.ID_TOKEN ?? '',
 * };
 * ```
 */
export type IdentityProvider = {
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly idToken: string;
};

/**
 * Makes the `assertion` option for people whom their organisation has signed in: exchanges their ID
 * token at the identity provider (RFC 8693) for an assertion addressed to the requested authorization
 * server and resource. Nobody has to sign in again. Throws `AUTHORIZATION_REFUSED`.
 *
 * @example
 * ```ts
 * import { createAuthorizedFetch, exchangeIdentity } from 'tradewind/client';
 *
 * export const fetchAuthorized = await createAuthorizedFetch({
 *   serverUrl: 'https://api.example.com/mcp',
 *   assertion: exchangeIdentity({
 *     tokenEndpoint: 'https://login.example.com/token',
 *     clientId: 'desktop',
 *     idToken: process.env.ID_TOKEN ?? '',
 *   }),
 * });
 * ```
 */
export function exchangeIdentity(
  provider: IdentityProvider,
): (target: AssertionTarget) => Promise<string> {
  const { tokenEndpoint, clientId, idToken } = provider;
  const fetch = createDiscoveryFetch({ serverUrl: new URL(tokenEndpoint) });
  return async ({ issuer, resource }) => {
    const response = await fetch(tokenEndpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: `${tokenTypes}:id-jag`,
        subject_token: idToken,
        subject_token_type: `${tokenTypes}:id_token`,
        audience: issuer,
        client_id: clientId,
        ...(resource === undefined ? {} : { resource }),
      }),
    });
    const answer = answerSchema.safeParse(
      await response
        .text()
        .then(parseJson)
        .catch(() => undefined),
    );
    if (response.ok && answer.success) return answer.data.access_token;
    throw new ClientError(
      'AUTHORIZATION_REFUSED',
      `${new URL(tokenEndpoint).origin} did not exchange the identity (${response.status}): sign in there again.`,
    );
  };
}
