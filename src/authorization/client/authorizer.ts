import { orAborted } from '../../kernel/wait/cancel.ts';
import { createQueue } from '../../kernel/wait/queue.ts';
import { chooseScope, type Demand, unite } from './challenges.ts';
import { type ClientContext, grantNames } from './client-context.ts';
import { type Discovery, discover } from './discover.ts';
import { createDpopProver } from './dpop.ts';
import { rememberServer, revokeGrant } from './held-grants.ts';
import { obtainGrant } from './obtain-grant.ts';
import type { Grant } from './records.ts';
import { findRegistrationOf } from './registration.ts';
import { createTokenEndpoint, isRefusal, requestTokens } from './request-tokens.ts';

/** A request that was refused. */
type Refused = {
  /** What it carried; nothing at the first request. */
  readonly grant: Grant | undefined;
  readonly demand: Demand;
  readonly protocolVersion: string;
  /** Whether a refreshed token may help; not where a refreshed one was just refused. */
  readonly mayRefresh: boolean;
  readonly signal?: AbortSignal | undefined;
};

export type Renewal = {
  readonly grant: Grant;
  /** Whether the grant was newly obtained: if it is refused too, another round would not help. */
  readonly isNew: boolean;
};

/** Keeps the grant for one MCP server up to date. */
type Authorizer = {
  /** The grant to begin with, refreshed where it has expired; none where the server must be asked first. */
  current(signal?: AbortSignal): Promise<Grant | undefined>;
  /** A grant instead of one that was refused with 401. */
  renew(refused: Refused): Promise<Renewal>;
  /** A grant with more scope, or `undefined` where asking again would bring nothing. */
  widen(refused: Refused): Promise<Renewal | undefined>;
};

/**
 * An authorizer does one thing at a time. With a vault that has a lock, so do all processes: each takes the
 * lock, reads the grant again, and only then refreshes it or obtains a new one. A process that waited finds
 * the grant that the first one obtained.
 */
export function createAuthorizer(context: ClientContext): Authorizer {
  const { serverUrl, records } = context;
  const queue = createQueue(1);
  const inTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) =>
    orAborted(queue.pass(work, { signal }), signal);
  const keeper = createGrantKeeper(context);
  const { isFresh, take, keep, replace, withStored } = keeper;
  const asked = new Set<string>();
  const freshInHand = () => (keeper.inHand && isFresh(keeper.inHand) ? keeper.inHand : undefined);

  return {
    async current(signal) {
      // A request with a valid token does not wait while a person signs in for more scope.
      return (
        freshInHand() ??
        inTurn(async () => {
          const fresh = freshInHand();
          if (fresh !== undefined) return fresh;
          const discovery = await records.read('server', serverUrl.href);
          if (discovery === undefined) return undefined;
          const grant = await keeper.read(discovery);
          if (grant === undefined || isFresh(grant)) return take(grant);
          return withStored({ discovery, signal }, async (stored) => {
            if (stored === undefined || isFresh(stored)) return take(stored);
            const refreshed = await refresh(context, { discovery, grant: stored, signal });
            return refreshed && keep(discovery, refreshed);
          });
        }, signal)
      );
    },

    renew: (refused) =>
      inTurn(async () => {
        const { grant: refusedGrant, mayRefresh, signal } = refused;
        const isOther = (grant: Grant) =>
          grant.accessToken !== refusedGrant?.accessToken && isFresh(grant);
        const { inHand } = keeper;
        if (inHand !== undefined && isOther(inHand)) return { grant: inHand, isNew: false };
        const discovery = await discoverAnew(context, refused);
        return withStored({ discovery, signal }, async (stored) => {
          if (stored !== undefined && isOther(stored)) {
            return { grant: take(stored), isNew: false };
          }
          if (stored !== undefined && mayRefresh) {
            const refreshed = await refresh(context, { discovery, grant: stored, signal });
            if (refreshed) return { grant: await keep(discovery, refreshed), isNew: false };
          }
          const configured = context.options.scope;
          const chosen = chooseScope({ configured, demanded: refused.demand.scope, discovery });
          const scope = unite(chosen, stored?.scope ?? []);
          const grant = await obtain(context, { discovery, scope, refused });
          return { grant: await replace(discovery, grant), isNew: true };
        });
      }, refused.signal),

    widen: (refused) =>
      inTurn(async () => {
        const { demand, signal } = refused;
        const has = (grant: Grant | undefined) =>
          demand.scope?.every((word) => grant?.scope.includes(word)) === true;
        if (demand.scope === undefined || has(refused.grant)) return undefined;
        const { inHand } = keeper;
        if (inHand !== undefined && has(inHand)) return { grant: inHand, isNew: false };
        const discovery = await discoverAnew(context, refused);
        return withStored({ discovery, signal }, async (stored) => {
          if (stored !== undefined && has(stored) && isFresh(stored)) {
            return { grant: take(stored), isNew: false };
          }
          const held = stored?.scope ?? refused.grant?.scope ?? [];
          const scope = unite(held, demand.scope ?? []);
          const wish = scope.toSorted().join(' ');
          // The person or the server said no to exactly this before.
          if (asked.has(wish)) return undefined;
          asked.add(wish);
          const grant = await obtain(context, { discovery, scope, refused });
          return { grant: await replace(discovery, grant), isNew: true };
        });
      }, refused.signal),
  };
}

/** Runs discovery again and stores the result for the next start. */
async function discoverAnew(context: ClientContext, refused: Refused): Promise<Discovery> {
  const { serverUrl, fetch, records } = context;
  const { demand, protocolVersion, signal } = refused;
  const { resourceMetadata } = demand;
  const found = await discover({ serverUrl, resourceMetadata, fetch, protocolVersion, signal });
  await records.write('server', found, serverUrl.href);
  await rememberServer(context);
  return found;
}

/** Asks for a new grant, bound to a key (DPoP) where the server wants that and we can. */
function obtain(
  context: ClientContext,
  wanted: { discovery: Discovery; scope: readonly string[]; refused: Refused },
): Promise<Grant> {
  const { discovery, scope, refused } = wanted;
  const { demand, signal } = refused;
  const algorithms = discovery.metadata.dpop_signing_alg_values_supported;
  const isDpop =
    (demand.isDpopOnly || discovery.isDpopRequired) && algorithms?.includes('ES256') === true;
  return obtainGrant(context, { discovery, scope, isDpop, signal });
}

/** The grant for one MCP server: the one in memory, and the one in the vault, which others may have replaced. */
type GrantKeeper = {
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

function createGrantKeeper(context: ClientContext): GrantKeeper {
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

/**
 * Exchanges the refresh token of a grant for a new grant, as the client that it was granted to. Returns `undefined` if
 * there is no refresh token or the server no longer accepts it. A registration that the server has forgotten is
 * removed from the vault too. Does not prevent others from spending the same token: the caller holds the lock.
 *
 * A server that cannot be reached or fails says nothing about the grant: the error is thrown, and the grant is kept.
 */
async function refresh(
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
