import type { AuthorizedFetchOptions } from './options.ts';

/**
 * The credentials that a process was started with: `TRADEWIND_CLIENT_ID`, `TRADEWIND_CLIENT_SECRET`,
 * `TRADEWIND_REGISTRATION_TOKEN`, and `TRADEWIND_CLIENT_ISSUER`, which says whom they are for. A server on stdio has no other way to get any, since the authorization
 * flow does not run there; commands take theirs from here too. Empty values count as absent.
 *
 * @example
 * ```ts
 * import { createAuthorizedFetch, credentialsFromEnvironment } from 'tradewind/client';
 *
 * export const fetchAuthorized = await createAuthorizedFetch({
 *   serverUrl: 'https://api.example.com/mcp',
 *   ...credentialsFromEnvironment(),
 * });
 * ```
 */
export function credentialsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Pick<
  AuthorizedFetchOptions,
  'clientId' | 'clientSecret' | 'clientIssuer' | 'registrationToken'
> {
  return {
    clientId: environment.TRADEWIND_CLIENT_ID || undefined,
    clientSecret: environment.TRADEWIND_CLIENT_SECRET || undefined,
    clientIssuer: environment.TRADEWIND_CLIENT_ISSUER || undefined,
    registrationToken: environment.TRADEWIND_REGISTRATION_TOKEN || undefined,
  };
}
