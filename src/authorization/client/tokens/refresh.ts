import type { ClientContext } from '../client-context.ts';
import type { Discovery } from '../discovery/discover.ts';
import type { Grant } from '../records.ts';
import { findRegistrationOf } from '../registration/find-registration.ts';
import { createTokenEndpoint } from './create-token-endpoint.ts';
import { createDpopProver } from './dpop.ts';
import { isRefusal, requestTokens } from './request-tokens.ts';

/**
 * Exchanges the refresh token of a grant for a new grant, as the client that it was granted to. Returns `undefined` if
 * there is no refresh token or the server no longer accepts it. A registration that the server has forgotten is
 * removed from the vault too. Does not prevent others from spending the same token: the caller holds the lock.
 *
 * A server that cannot be reached or fails says nothing about the grant: the error is thrown, and the grant is kept.
 */
export async function refresh(
  context: ClientContext,
  request: { discovery: Discovery; grant: Grant; signal?: AbortSignal | undefined },
): Promise<Grant | undefined> {
  const { discovery, grant } = request;
  const { metadata, resource } = discovery;
  if (grant.refreshToken === undefined) return undefined;
  const { client } = grant;
  const { registration, isKnown } = await findRegistrationOf(context, { metadata, client });
  const dpop =
    grant.dpopKey === undefined ? undefined : await createDpopProver(grant.dpopKey, context);
  try {
    const refreshed = await requestTokens(
      createTokenEndpoint(context, { ...request, registration, dpop }),
      {
        grantType: 'refresh_token',
        parameters: { refresh_token: grant.refreshToken, resource },
        scope: grant.scope,
      },
    );
    return { ...refreshed, refreshToken: refreshed.refreshToken ?? grant.refreshToken };
  } catch (error) {
    if (isRefusal(error, 'invalid_client', 'unauthorized_client') && registration.isDynamic) {
      if (isKnown) await context.records.remove('client', metadata.issuer);
      return undefined;
    }
    if (isRefusal(error, 'invalid_grant', 'invalid_scope', 'invalid_target')) return undefined;
    throw error;
  }
}
