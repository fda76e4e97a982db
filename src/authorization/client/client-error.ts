import { DomainError } from '../../kernel/model/domain-error.ts';

/**
 * The code of a {@link ClientError}.
 *
 * @example
 * ```ts
 * import type { ClientErrorCode } from 'tradewind/client';
 *
 * export const needsPerson = (code: ClientErrorCode) => code === 'SIGN_IN_NEEDED';
 * ```
 */
export type ClientErrorCode =
  /** An address that is not http or https, has shell characters in it, or carries credentials. */
  | 'UNSAFE_URL'
  /** Plain HTTP to a machine other than this one. */
  | 'INSECURE_URL'
  /** An address in a network that a server at its own location may not refer to. */
  | 'ADDRESS_REFUSED'
  | 'UNREACHABLE'
  /** A document or an answer that is not what the standard says. */
  | 'INVALID_ANSWER'
  | 'ISSUER_MISMATCH'
  | 'RESOURCE_MISMATCH'
  /** The server registers nobody, and no client id was given. */
  | 'CLIENT_ID_NEEDED'
  | 'REGISTRATION_REFUSED'
  /** A person must sign in, but the caller allows no interaction. */
  | 'SIGN_IN_NEEDED'
  /** The person said no. */
  | 'ACCESS_DENIED'
  | 'SIGN_IN_TIMED_OUT'
  /** The redirect does not match the authorization request. */
  | 'INVALID_REDIRECT'
  /** The authorization server refused; `details.error` is its own code. */
  | 'AUTHORIZATION_REFUSED'
  | 'UNSUPPORTED';

/**
 * Why the client could not obtain a token. The codes of `AuthorizationError` are a server's answers;
 * these codes are for whoever runs the client. No message contains a token or the query of a URL.
 *
 * @example
 * ```ts
 * import { ClientError, createAuthorizedFetch } from 'tradewind/client';
 *
 * const serverUrl = 'https://api.example.com/mcp';
 * const fetchAuthorized = await createAuthorizedFetch({ serverUrl, isInteractive: false });
 * export async function ping() {
 *   try {
 *     return await fetchAuthorized(serverUrl);
 *   } catch (error) {
 *     if (error instanceof ClientError && error.code === 'SIGN_IN_NEEDED') return 'sign in first';
 *     throw error;
 *   }
 * }
 * ```
 */
export class ClientError extends DomainError<ClientErrorCode> {}
