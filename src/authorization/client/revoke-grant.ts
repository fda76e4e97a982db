import * as oauth from 'oauth4webapi';
import { authenticateClient } from './authenticate-client.ts';
import { type ClientContext, createClientContext, grantNames } from './client-context.ts';
import { createTokenLeg } from './create-token-leg.ts';
import { findRegistration } from './find-registration.ts';
import type { AuthorizedFetchOptions } from './options.ts';
import type { Grant } from './records.ts';
import { libraryOptions, toLibrary } from './request-tokens.ts';

/** What the vault holds for a context server. */
export type HeldGrant = { readonly issuer: string; readonly resource: string | undefined } & Pick<
  Grant,
  'accessToken' | 'expiresAt' | 'scope'
> & { readonly clientId: string };

/** The grant for a context server, as it is stored; asks nobody whether it still holds. */
export async function readHeldGrant(
  options: AuthorizedFetchOptions,
): Promise<HeldGrant | undefined> {
  const context = createClientContext(options);
  const stored = await readStored(context);
  if (stored === undefined) return undefined;
  const grant = await context.records.read('grant', ...stored.names);
  if (grant === undefined) return undefined;
  const { client, accessToken, expiresAt, scope } = grant;
  const { metadata, resource } = stored.discovery;
  const { clientId } = client;
  return { issuer: metadata.issuer, resource, clientId, accessToken, expiresAt, scope };
}

/**
 * Revokes the grant for a context server (RFC 7009) and forgets it. It is forgotten even where the server
 * cannot be asked or has no revocation. Says whether there was one, and whether the server knows.
 */
export async function revokeGrant(
  options: AuthorizedFetchOptions,
): Promise<{ readonly wasHeld: boolean; readonly isRevoked: boolean }> {
  const context = createClientContext(options);
  const stored = await readStored(context);
  if (stored === undefined) return { wasHeld: false, isRevoked: false };
  const { discovery, names } = stored;
  const { records } = context;
  return context.lockGrant(names, async () => {
    const grant = await records.read('grant', ...names);
    if (grant === undefined) return { wasHeld: false, isRevoked: false };
    const isRevoked = await revoke(grant).catch(() => false);
    await records.remove('grant', ...names);
    await records.remove('server', context.serverUrl.href);
    return { wasHeld: true, isRevoked };
  });

  async function revoke(grant: Grant): Promise<boolean> {
    const { metadata } = discovery;
    if (metadata.revocation_endpoint === undefined) return false;
    const known = await findRegistration(context, metadata);
    const registration = known?.clientId === grant.client.clientId ? known : grant.client;
    const leg = createTokenLeg(context, { discovery, registration, dpop: undefined });
    // With the refresh token the whole grant ends; the access token may be of another kind.
    const tokens = [grant.refreshToken, grant.accessToken].filter((token) => token !== undefined);
    for (const token of tokens) {
      const response = await oauth.revocationRequest(
        toLibrary(metadata),
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

async function readStored({ records, serverUrl }: ClientContext) {
  const stored = await records.read('server', serverUrl.href);
  if (stored === undefined) return undefined;
  const discovery = { resource: undefined, scopesSupported: undefined, ...stored };
  return { discovery, names: grantNames(stored, serverUrl) };
}
