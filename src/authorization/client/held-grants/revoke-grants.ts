import { createClientContext } from '../client-context.ts';
import type { AuthorizedFetchOptions } from '../options.ts';
import { findHeldGrants } from './find-held-grants.ts';
import { revokeGrant } from './revoke-grant.ts';

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
