import { type ClientContext, grantNames } from './client-context.ts';
import type { Discovery } from './discovery/discover.ts';
import { revokeGrant } from './held-grants/revoke-grant.ts';
import type { Grant } from './records.ts';

/** The grant for one MCP server: the one in memory, and the one in the vault, which others may have replaced. */
export type GrantKeeper = {
  readonly inHand: Grant | undefined;
  /** Whether the grant does not expire within the leeway. */
  isFresh(grant: Grant): boolean;
  /** The one in the vault, if our client obtained it. */
  read(discovery: Discovery): Promise<Grant | undefined>;
  /** Runs `work` under the lock, with the grant that the vault then holds. */
  withStored<T>(
    place: { readonly discovery: Discovery; readonly signal?: AbortSignal | undefined },
    work: (stored: Grant | undefined) => Promise<T>,
  ): Promise<T>;
  /** Keeps a grant from the vault in memory. */
  take<Found extends Grant | undefined>(grant: Found): Found;
  /** Keeps a refreshed grant in memory and writes it to the vault. */
  keep(discovery: Discovery, grant: Grant): Promise<Grant>;
  /**
   * Does the same with a new grant, then revokes the old one: it would stay valid at the server, and nobody could
   * sign out of it. Revokes only at a Tradewind server: elsewhere, revoking the old grant may end the new one
   * too.
   */
  replace(discovery: Discovery, grant: Grant): Promise<Grant>;
};

/** A token counts as expired this long before it expires: a request takes time to arrive, and clocks differ. */
const leewayMs = 10_000;

export function createGrantKeeper(context: ClientContext): GrantKeeper {
  const { options, serverUrl, records, clock, lockGrant } = context;
  let inHand: Grant | undefined;

  const isOurs = ({ client }: Grant) =>
    options.clientId === undefined || options.clientId === client.clientId;

  async function read(discovery: Discovery): Promise<Grant | undefined> {
    if (options.isAnew && inHand === undefined) return undefined;
    const grant = await records.read('grant', ...grantNames(discovery, serverUrl));
    return grant !== undefined && isOurs(grant) ? grant : undefined;
  }

  async function keep(discovery: Discovery, grant: Grant): Promise<Grant> {
    await records.write('grant', grant, ...grantNames(discovery, serverUrl));
    inHand = grant;
    return grant;
  }

  return {
    get inHand() {
      return inHand;
    },
    isFresh: ({ expiresAt }) => expiresAt === undefined || expiresAt - leewayMs > clock.now(),
    read,
    withStored({ discovery, signal }, work) {
      const names = grantNames(discovery, serverUrl);
      return lockGrant(names, async () => work(await read(discovery)), signal);
    },
    take(grant) {
      inHand = grant;
      return grant;
    },
    keep,
    async replace(discovery, grant) {
      const before = await records.read('grant', ...grantNames(discovery, serverUrl));
      await keep(discovery, grant);
      const isTradewind = discovery.metadata.tradewind_native_clients !== undefined;
      if (before !== undefined && isTradewind) {
        // The new grant is stored already, so a failed revocation of the old one does not fail the call.
        await revokeGrant(context, { discovery, grant: before }).catch(() => false);
      }
      return grant;
    },
  };
}
