import { createClientContext } from '../client-context.ts';
import type { AuthorizedFetchOptions } from '../options.ts';
import type { Grant } from '../records.ts';
import { findHeldGrants } from './find-held-grants.ts';

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
