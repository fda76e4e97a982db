import * as oauth from 'oauth4webapi';
import {
  type ClientContext,
  createClientContext,
  type GrantNames,
  grantNames,
} from './client-context.ts';
import type { Discovery } from './discover.ts';
import type { AuthorizedFetchOptions } from './options.ts';
import type { Grant } from './records.ts';
import { findRegistrationOf } from './registration.ts';
import {
  authenticateClient,
  createTokenEndpoint,
  libraryOptions,
  toLibrary,
} from './request-tokens.ts';

/**
 * What the vault holds for an MCP server.
 *
 * @example
 * ```ts
 * import type { HeldGrant } from 'tradewind/client';
 *
 * export const describe = ({ server, scope }: HeldGrant) => `${server}: ${scope}`;
 * ```
 */
export type HeldGrant = Pick<Grant, 'accessToken' | 'expiresAt' | 'scope'> & {
  /** The address that it was obtained for. */
  readonly server: string;
  readonly issuer: string;
  readonly resource: string | undefined;
  readonly clientId: string;
};

/**
 * The grants for the origin of `serverUrl`, as they are stored: one for the whole of it, or one for each
 * path that was asked by itself. Does not ask the server whether they are still valid.
 *
 * @example
 * ```ts
 * import { readHeldGrants } from 'tradewind/client';
 *
 * const serverUrl = 'https://api.example.com/mcp';
 * console.log(await readHeldGrants({ serverUrl, vault: new Map() })); // []
 * ```
 */
export async function readHeldGrants(
  options: AuthorizedFetchOptions,
): Promise<readonly HeldGrant[]> {
  const found = await findHeldGrants(createClientContext(options));
  return found.map(({ server, discovery, grant }) => {
    const { client, accessToken, expiresAt, scope } = grant;
    const { metadata, resource } = discovery;
    const { clientId } = client;
    return { server, issuer: metadata.issuer, resource, clientId, accessToken, expiresAt, scope };
  });
}

/**
 * The outcome of revoking a grant. The grant is forgotten in any case.
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
  /** Whether the authorization server revoked it. */
  readonly isRevoked: boolean;
};

/**
 * Revokes every grant for the origin of `serverUrl` (RFC 7009) and forgets it, even if the server
 * cannot be reached or has no revocation endpoint.
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
      const isRevoked = await revokeGrant(context, { discovery, grant }).catch(() => false);
      await records.remove('grant', ...names);
      await records.remove('server', server);
      revoked.push({ server, resource: discovery.resource, isRevoked });
    });
  }
  return revoked;
}

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

/** A grant in the vault, with what was found out about its server. */
type FoundGrant = {
  /** The address that it was obtained for. */
  readonly server: string;
  readonly discovery: Discovery;
  readonly names: GrantNames;
  readonly grant: Grant;
};

/** Every grant that the vault holds for servers of the origin, each once. */
async function findHeldGrants({
  records,
  serverUrl,
}: ClientContext): Promise<readonly FoundGrant[]> {
  const { servers = [] } = (await records.read('origin', serverUrl.origin)) ?? {};
  const found = new Map<string, FoundGrant>();
  for (const server of servers) {
    const discovery = await records.read('server', server);
    if (discovery === undefined) continue;
    const names = grantNames(discovery, new URL(server));
    const grant = await records.read('grant', ...names);
    const key = names.join(' ');
    if (grant === undefined || found.has(key)) continue;
    found.set(key, { server, discovery, names, grant });
  }
  return [...found.values()];
}

/**
 * Notes that a grant is kept for the server: a vault cannot be listed, and a sign-out from an origin must revoke
 * every grant there.
 */
export async function rememberServer(context: ClientContext): Promise<void> {
  const { records, lock, serverUrl } = context;
  const { origin, href } = serverUrl;
  await lock(`origin ${origin}`, async () => {
    const { servers = [] } = (await records.read('origin', origin)) ?? {};
    if (!servers.includes(href)) {
      await records.write('origin', { servers: [...servers, href] }, origin);
    }
  });
}
