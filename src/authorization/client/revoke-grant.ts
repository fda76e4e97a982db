import * as oauth from 'oauth4webapi';
import { authenticateClient } from './authenticate-client.ts';
import { createClientContext } from './client-context.ts';
import { createTokenLeg } from './create-token-leg.ts';
import { findRegistration } from './find-registration.ts';
import type { AuthorizedFetchOptions } from './options.ts';
import type { Grant } from './records.ts';
import { libraryOptions, toLibrary } from './request-tokens.ts';

/** What the vault holds for a context server. */
export type HeldGrant = { readonly issuer: string; readonly resource: string | undefined } & Pick<
  Grant,
  'clientId' | 'accessToken' | 'expiresAt' | 'scope'
>;

/** The grant for a context server, as it is stored; asks nobody whether it still holds. */
export async function readHeldGrant(
  options: AuthorizedFetchOptions,
): Promise<HeldGrant | undefined> {
  const held = await readAll(options);
  if (held === undefined) return undefined;
  const { clientId, accessToken, expiresAt, scope } = held.grant;
  const { metadata, resource } = held.discovery;
  return { issuer: metadata.issuer, resource, clientId, accessToken, expiresAt, scope };
}

/**
 * Revokes the grant for a context server (RFC 7009) and forgets it. It is forgotten even where the server
 * cannot be asked or has no revocation. Says whether there was one, and whether the server knows.
 */
export async function revokeGrant(
  options: AuthorizedFetchOptions,
): Promise<{ readonly wasHeld: boolean; readonly isRevoked: boolean }> {
  const held = await readAll(options);
  if (held === undefined) return { wasHeld: false, isRevoked: false };
  const { context, discovery, grant, names } = held;
  const registration = await findRegistration(context, discovery.metadata);
  const { revocation_endpoint } = discovery.metadata;
  const isAskable = registration?.clientId === grant.clientId && revocation_endpoint !== undefined;
  const isRevoked = isAskable && (await revoke().catch(() => false));
  await context.records.remove('grant', ...names);
  await context.records.remove('server', context.serverUrl.href);
  return { wasHeld: true, isRevoked };

  async function revoke(): Promise<boolean> {
    if (registration === undefined) return false;
    const leg = createTokenLeg(context, { discovery, registration, dpop: undefined });
    // With the refresh token the whole grant ends; the access token may be of another kind.
    const tokens = [grant.refreshToken, grant.accessToken].filter((token) => token !== undefined);
    for (const token of tokens) {
      const response = await oauth.revocationRequest(
        toLibrary(discovery.metadata),
        { client_id: registration.clientId },
        await authenticateClient(leg),
        token,
        libraryOptions(context.fetch, undefined),
      );
      await oauth.processRevocationResponse(response);
    }
    return true;
  }
}

async function readAll(options: AuthorizedFetchOptions) {
  const context = createClientContext(options);
  const stored = await context.records.read('server', context.serverUrl.href);
  if (stored === undefined) return undefined;
  const discovery = { resource: undefined, scopesSupported: undefined, ...stored };
  const names = [stored.metadata.issuer, stored.resource ?? context.serverUrl.href] as const;
  const grant = await context.records.read('grant', ...names);
  return grant === undefined ? undefined : { context, discovery, grant, names };
}
