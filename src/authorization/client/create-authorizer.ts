import { type ClientContext, grantNames } from './client-context.ts';
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
  /** Whether all the way was gone again: if this is refused too, another round would not help. */
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

/** Before it expires, for the way and for clocks that differ. */
const leewayMs = 10_000;

/**
 * One authorizer does one thing at a time, and with a vault that has a lock so do all processes: take the
 * lock, read again, and only then refresh or ask. Whoever waited finds what the first one obtained.
 */
export function createAuthorizer(context: ClientContext): Authorizer {
  const { options, serverUrl, records, clock, lockGrant } = context;
  const inTurn = createQueue();
  const asked = new Set<string>();
  let known: Grant | undefined;

  const isFresh = ({ expiresAt }: Grant) =>
    expiresAt === undefined || expiresAt - leewayMs > clock.now();
  const isOurs = ({ client }: Grant) =>
    options.clientId === undefined || options.clientId === client.clientId;

  async function readGrant(discovery: Discovery): Promise<Grant | undefined> {
    if (options.isAnew && known === undefined) return undefined;
    const grant = await records.read('grant', ...grantNames(discovery, serverUrl));
    return grant !== undefined && isOurs(grant) ? grant : undefined;
  }

  /** Does `work` under the lock, with what is stored there by now. */
  function withStored<T>(
    place: { readonly discovery: Discovery; readonly signal?: AbortSignal | undefined },
    work: (stored: Grant | undefined) => Promise<T>,
  ): Promise<T> {
    const { discovery, signal } = place;
    const names = grantNames(discovery, serverUrl);
    return lockGrant(names, async () => work(await readGrant(discovery)), signal);
  }

  async function keep(discovery: Discovery, grant: Grant): Promise<Grant> {
    await records.write('grant', grant, ...grantNames(discovery, serverUrl));
    known = grant;
    return grant;
  }

  async function discoverAnew({ demand, protocolVersion, signal }: Refused): Promise<Discovery> {
    const { fetch } = context;
    const { resourceMetadata } = demand;
    const found = await discover({ serverUrl, resourceMetadata, fetch, protocolVersion, signal });
    await records.write('server', found, serverUrl.href);
    await rememberServer(context);
    return found;
  }

  function obtain(discovery: Discovery, scope: readonly string[], refused: Refused) {
    const algorithms = discovery.metadata.dpop_signing_alg_values_supported;
    const isDpop =
      (refused.demand.isDpopOnly || discovery.isDpopRequired) && algorithms?.includes('ES256');
    const { signal } = refused;
    return obtainGrant(context, { discovery, scope, isDpop: isDpop === true, signal });
  }

  return {
    async current(signal) {
      // Whoever holds a good token does not wait behind a person who signs in for more.
      if (known !== undefined && isFresh(known)) return known;
      return inTurn(async () => {
        if (known !== undefined && isFresh(known)) return known;
        const discovery = await records.read('server', serverUrl.href);
        if (discovery === undefined) return undefined;
        const grant = await readGrant(discovery);
        if (grant === undefined || isFresh(grant)) {
          known = grant;
          return grant;
        }
        return withStored({ discovery, signal }, async (stored) => {
          if (stored === undefined || isFresh(stored)) {
            known = stored;
            return stored;
          }
          const refreshed = await refresh(context, { discovery, grant: stored, signal });
          return refreshed && keep(discovery, refreshed);
        });
      }, signal);
    },

    renew: (refused) =>
      inTurn(async () => {
        const isOther = (grant: Grant) =>
          grant.accessToken !== refused.grant?.accessToken && isFresh(grant);
        if (known !== undefined && isOther(known)) return { grant: known, isNew: false };
        const { signal } = refused;
        const discovery = await discoverAnew(refused);
        return withStored({ discovery, signal }, async (stored) => {
          if (stored !== undefined && isOther(stored)) {
            known = stored;
            return { grant: stored, isNew: false };
          }
          if (stored !== undefined && refused.mayRefresh) {
            const refreshed = await refresh(context, { discovery, grant: stored, signal });
            if (refreshed) return { grant: await keep(discovery, refreshed), isNew: false };
          }
          const scope = chooseScope({
            configured: options.scope,
            demanded: refused.demand.scope,
            discovery,
          });
          const grant = await obtain(discovery, unite(scope, stored?.scope ?? []), refused);
          return { grant: await keep(discovery, grant), isNew: true };
        });
      }, refused.signal),

    widen: (refused) =>
      inTurn(async () => {
        const { demand, signal } = refused;
        const has = (grant: Grant | undefined) =>
          demand.scope?.every((word) => grant?.scope.includes(word)) === true;
        if (demand.scope === undefined || has(refused.grant)) return undefined;
        if (known !== undefined && has(known)) return { grant: known, isNew: false };
        const discovery = await discoverAnew(refused);
        return withStored({ discovery, signal }, async (stored) => {
          if (stored !== undefined && has(stored) && isFresh(stored)) {
            known = stored;
            return { grant: stored, isNew: false };
          }
          const held = stored?.scope ?? refused.grant?.scope ?? [];
          const scope = unite(held, demand.scope ?? []);
          const wish = scope.toSorted().join(' ');
          // The person or the server said no to exactly this before.
          if (asked.has(wish)) return undefined;
          asked.add(wish);
          const grant = await obtain(discovery, scope, refused);
          return { grant: await keep(discovery, grant), isNew: true };
        });
      }, refused.signal),
  };
}
