import { type ClientContext, grantNames } from './client-context.ts';
import type { Discovery } from './discovery/discover.ts';
import type { Grant } from './records.ts';

/** The grant for one MCP server: the one in hand, and the one in the vault, which others may have replaced. */
export type GrantKeeper = {
  readonly inHand: Grant | undefined;
  /** Whether it is good for some time yet. */
  isFresh(grant: Grant): boolean;
  /** The one in the vault, if our client obtained it. */
  read(discovery: Discovery): Promise<Grant | undefined>;
  /** Does `work` under the lock, with what is in the vault by then. */
  withStored<T>(
    place: { readonly discovery: Discovery; readonly signal?: AbortSignal | undefined },
    work: (stored: Grant | undefined) => Promise<T>,
  ): Promise<T>;
  /** Takes in hand what was found in the vault. */
  take<Found extends Grant | undefined>(grant: Found): Found;
  /** Takes a new one in hand and puts it into the vault. */
  keep(discovery: Discovery, grant: Grant): Promise<Grant>;
};

/** So long before it expires a token counts as expired: it takes time on its way, and clocks differ. */
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
    async keep(discovery, grant) {
      await records.write('grant', grant, ...grantNames(discovery, serverUrl));
      inHand = grant;
      return grant;
    },
  };
}
