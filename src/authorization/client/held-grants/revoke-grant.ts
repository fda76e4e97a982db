import * as oauth from 'oauth4webapi';
import type { ClientContext } from '../client-context.ts';
import type { Discovery } from '../discovery/discover.ts';
import type { Grant } from '../records.ts';
import { authenticateClient } from '../registration/authenticate-client.ts';
import { findRegistrationOf } from '../registration/find-registration.ts';
import { createTokenEndpoint } from '../tokens/create-token-endpoint.ts';
import { libraryOptions, toLibrary } from '../tokens/request-tokens.ts';

/**
 * Revokes a grant at its authorization server (RFC 7009). Returns `false` if the server has no revocation endpoint,
 * and throws if it cannot be reached or refuses. Does not forget the grant.
 */
export async function revokeGrant(
  context: ClientContext,
  { discovery, grant }: { discovery: Discovery; grant: Grant },
): Promise<boolean> {
  const { metadata } = discovery;
  if (metadata.revocation_endpoint === undefined) return false;
  const { client } = grant;
  const { registration } = await findRegistrationOf(context, { metadata, client });
  const tokenEndpoint = createTokenEndpoint(context, { discovery, registration, dpop: undefined });
  // Revoking the refresh token ends the grant, but at some servers not the access token (RFC 7009 section 2.1).
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
