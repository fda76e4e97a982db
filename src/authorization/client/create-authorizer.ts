import type { ClientContext } from './client-context.ts';
import { createGrantKeeper } from './create-grant-keeper.ts';
import { createQueue } from './create-queue.ts';
import { chooseScope, unite } from './discovery/choose-scope.ts';
import { type Discovery, discover } from './discovery/discover.ts';
import type { Demand } from './discovery/read-challenges.ts';
import { rememberServer } from './held-grants/remember-server.ts';
import { obtainGrant } from './obtain-grant.ts';
import type { Grant } from './records.ts';
import { refresh } from './tokens/refresh.ts';

/** A request that was refused. */
export type Refused = {
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
export type Authorizer = {
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
  const inTurn = createQueue();
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
