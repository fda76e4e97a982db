import * as oauth from 'oauth4webapi';
import { type ClientContext, createClientContext } from '../client-context.ts';
import type { Discovery } from '../discovery/discover.ts';
import type { AuthorizedFetchOptions } from '../options.ts';
import type { Grant } from '../records.ts';
import { authenticateClient } from '../registration/authenticate-client.ts';
import { findRegistration } from '../registration/find-registration.ts';
import { createTokenEndpoint } from '../tokens/create-token-endpoint.ts';
import { libraryOptions, toLibrary } from '../tokens/request-tokens.ts';
import { findHeldGrants } from './find-held-grants.ts';

/**
 * What became of a grant. It is forgotten in any case.
 *
 * @example
 * ```ts
 * import type { RevokedGrant } from 'tradewind/client';
 *
 * export const describe = ({ server, isRevoked }: RevokedGrant) =>
 *   isRevoked ? `revoked at ${server}` : `forgotten, but ${server} was not told`;
 * ```
 */
export type RevokedGrant = {
  /** The address that it was obtained for. */
  readonly server: string;
  readonly resource: string | undefined;
  /** Whether the authorization server knows. */
  readonly isRevoked: boolean;
};

/**
 * Revokes every grant for the origin of `serverUrl` (RFC 7009) and forgets it, even where the server
 * cannot be asked or has no revocation.
 *
 * @example
 * ```ts
 * import { revokeGrants } from 'tradewind/client';
 *
 * const serverUrl = 'https://api.example.com/mcp';
 * console.log(await revokeGrants({ serverUrl, vault: new Map() })); // []
 * ```
 */
export async function revokeGrants(
  options: AuthorizedFetchOptions,
): Promise<readonly RevokedGrant[]> {
  const context = createClientContext(options);
  const { records } = context;
  const revoked: RevokedGrant[] = [];
  for (const { server, discovery, names } of await findHeldGrants(context)) {
    await context.lockGrant(names, async () => {
      // Another process may have refreshed or revoked it meanwhile.
      const grant = await records.read('grant', ...names);
      if (grant === undefined) return;
      const isRevoked = await revoke(context, { discovery, grant }).catch(() => false);
      await records.remove('grant', ...names);
      await records.remove('server', server);
      revoked.push({ server, resource: discovery.resource, isRevoked });
    });
  }
  return revoked;
}

async function revoke(
  context: ClientContext,
  { discovery, grant }: { discovery: Discovery; grant: Grant },
): Promise<boolean> {
  const { metadata } = discovery;
  if (metadata.revocation_endpoint === undefined) return false;
  const known = await findRegistration(context, metadata);
  const registration = known?.clientId === grant.client.clientId ? known : grant.client;
  const tokenEndpoint = createTokenEndpoint(context, { discovery, registration, dpop: undefined });
  // With the refresh token the whole grant ends; the access token may be of another kind.
  const tokens = [grant.refreshToken, grant.accessToken].filter((token) => token !== undefined);
  for (const token of tokens) {
    const response = await oauth.revocationRequest(
      toLibrary(metadata),
      { client_id: registration.clientId },
      await authenticateClient(tokenEndpoint),
      token,
      libraryOptions(context.fetch, undefined),
    );
    await oauth.processRevocationResponse(response);
  }
  return true;
}
