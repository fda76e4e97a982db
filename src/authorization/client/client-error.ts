import { DomainError } from '../../kernel/domain-error.ts';

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
  /** An address in a network that the server's own place does not open. */
  | 'ADDRESS_REFUSED'
  | 'UNREACHABLE'
  /** A document or an answer that is not what the standard says. */
  | 'INVALID_ANSWER'
  | 'ISSUER_MISMATCH'
  | 'RESOURCE_MISMATCH'
  /** The server registers nobody, and no client id was given. */
  | 'CLIENT_ID_NEEDED'
  | 'REGISTRATION_REFUSED'
  /** Only a person can go on, and the caller wanted none to be asked. */
  | 'SIGN_IN_NEEDED'
  /** The person said no. */
  | 'ACCESS_DENIED'
  | 'SIGN_IN_TIMED_OUT'
  /** The answer to the sign-in does not belong to what was asked. */
  | 'INVALID_REDIRECT'
  /** The authorization server refused; `details.error` is its own code. */
  | 'AUTHORIZATION_REFUSED'
  | 'UNSUPPORTED';

/**
 * Why the client did not obtain what a request needs. It stands beside `AuthorizationError`, whose
 * codes are what a server answers: these are for whoever runs the client. No message repeats a token
 * or a URL with its query.
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
