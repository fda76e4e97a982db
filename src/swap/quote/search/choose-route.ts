import type { ChainDeployment, Router } from '../../deployments/deployment.ts';
import { greatestAmount } from '../../executor/encode-executor.ts';
import type { Address } from '../../model.ts';
import { poolKindOf } from '../../pools/pool-kinds.ts';
import { boundOutput, certify, findRoute, type Route } from '../../routing/find-route.ts';
import type { RoutingGraph } from '../../routing/graph/routing-graph.ts';
import { midPriceBetween } from '../../routing/mid-price-between.ts';
import type { Market, MarketPool } from '../market/market.ts';
import { ratio } from '../swap-price.ts';
import { gasCosts } from './gas-model.ts';

export type RouteSearch = {
  readonly deployment: ChainDeployment;
  readonly market: Market;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly gasPrice: bigint;
  readonly within?: RouteLimit;
};

/** For tokens that tax transfers: a single path, or a single path over pairs alone, which trade what arrives. */
export type RouteLimit = 'one-path' | 'one-path-of-pairs';

/** The part of a search that the choice depends on. */
export type RouteQuestion = Omit<RouteSearch, 'deployment' | 'market'> & {
  readonly deployment: Pick<ChainDeployment, 'routers'> & {
    readonly wrappedNative?: Address | undefined;
  };
  readonly market: Pick<Market, 'memory'> & { readonly pools: readonly PricedPool[] };
};

type PricedPool = Pick<MarketPool, 'state'> & {
  readonly pool: Pick<MarketPool['pool'], 'exchange'>;
};

/** A route, the router that executes it, and the mid price in the whole market. */
export type RoutedChoice = {
  readonly router: Router;
  readonly route: Route;
  /** In smallest units; not a number where no route leads from one token to the other. */
  readonly midPrice: number;
};

/** The best route after gas that a router can execute, with a bound over all pools of the market, also those it cannot swap in. */
export function chooseRoute(search: RouteQuestion): RoutedChoice | undefined {
  const { market } = search;
  const whole = market.memory.graphWithin(market.pools, '', () =>
    market.pools.map(({ state }) => state),
  );
  const chosen = chooseRouter(search, whole);
  if (chosen === undefined) return undefined;
  const { router, graph, route } = chosen;
  // A router that cannot swap in all pools has its route among them; the bound counts them all [Q48].
  const isOverAll = graph === whole;
  const optimality = isOverAll ? route.optimality : certify(route, boundOutput(whole, search));
  return { router, route: { ...route, optimality }, midPrice: midPriceIn(whole, search) };
}

type RouterChoice = Pick<RoutedChoice, 'router' | 'route'> & { readonly graph: RoutingGraph };

/**
 * The best route among those that one router can execute whole. The executor takes any route over all exchanges: if it
 * is deployed and has a route, no other router is tried. Otherwise the exchanges of each router are searched separately, except
 * those that another router covers with a richer choice of paths.
 */
function chooseRouter(search: RouteQuestion, marketGraph: RoutingGraph): RouterChoice | undefined {
  const { deployment, market, tokenIn, tokenOut, amountIn, within } = search;
  const { graphWithin } = market.memory;
  const gas = gasCosts(outputPerGas(search, marketGraph));
  let best: RouterChoice | undefined;
  // The executor comes before all others.
  for (const router of deployment.routers.toSorted((one) => (one.kind === 'tradewind' ? -1 : 0))) {
    if (isCovered(router, deployment.routers)) continue;
    const graph = graphWithin(market.pools, `${router.address} ${within}`, () =>
      poolsOf(router, market.pools)
        .map(({ state }) => state)
        .filter((state) => within !== 'one-path-of-pairs' || poolKindOf(state).tradesWhatArrives),
    );
    const request = { tokenIn, tokenOut, amountIn, gas };
    const takesOnePath = router.kind === 'v2-router' || within !== undefined;
    let route = findRoute(graph, { ...request, ...(takesOnePath ? { maxPaths: 1 } : {}) });
    if (router.kind === 'tradewind') {
      if (route.kind === 'no-route' || !fitsProgram(route)) continue;
      return { router, route, graph };
    }
    if (route.kind === 'route' && !keepsPathsApart(route, search)) {
      route = findRoute(graph, { ...request, maxPaths: 1 });
    }
    if (route.kind === 'no-route') continue;
    if (best === undefined || route.netAmountOut > best.route.netAmountOut)
      best = { router, route, graph };
  }
  return best;
}

function midPriceIn(
  graph: RoutingGraph,
  { market, tokenIn, tokenOut }: Pick<RouteQuestion, 'market' | 'tokenIn' | 'tokenOut'>,
): number {
  return market.memory.figureOf(
    graph,
    `mid price of ${tokenIn} in ${tokenOut}`,
    () => midPriceBetween(graph, { tokenIn, tokenOut }) ?? Number.NaN,
  );
}

/**
 * Whether no path takes what belongs to another. Where a path changes between kinds of pools, the router goes on with its whole
 * balance of the token. Of the output token that includes what other paths have gathered, of the native input what they have yet
 * to spend. A single path may pass through both.
 */
function keepsPathsApart(
  { paths }: Route,
  { tokenIn, tokenOut }: Pick<RouteSearch, 'tokenIn' | 'tokenOut'>,
): boolean {
  const isEnd = (token: Address) => token === tokenIn || token === tokenOut;
  return (
    paths.length === 1 ||
    paths.every(({ hops }) => !hops.slice(1).some((hop) => isEnd(hop.tokenIn)))
  );
}

function fitsProgram({ amountIn, amountOut }: Route): boolean {
  return amountIn <= greatestAmount && amountOut <= greatestAmount;
}

/** The pools that a router can swap in. */
function poolsOf({ kind, exchanges }: Router, pools: readonly PricedPool[]): PricedPool[] {
  const ability = kind === 'tradewind' ? 'encodeHop' : 'uniswapLeg';
  return pools.filter(
    ({ pool, state }) =>
      exchanges.includes(pool.exchange) && poolKindOf(state)[ability] !== undefined,
  );
}

function isCovered(router: Router, routers: readonly Router[]): boolean {
  if (router.kind !== 'v2-router') return false;
  return routers.some(
    (other) =>
      other.kind === 'swap-router-02' &&
      router.exchanges.every((exchange) => other.exchanges.includes(exchange)),
  );
}

// Large enough to look past dust in forgotten pools, small enough not to move a market.
const probeAmount = 10n ** 17n;

/** What a unit of gas costs in units of the output token; zero if the two cannot be compared. */
function outputPerGas(
  { deployment, market, tokenOut, gasPrice }: RouteQuestion,
  marketGraph: RoutingGraph,
): number {
  const { wrappedNative } = deployment;
  if (gasPrice === 0n || wrappedNative === undefined) return 0;
  if (tokenOut === wrappedNative) return Number(gasPrice);
  const perNative = market.memory.figureOf(marketGraph, `native in ${tokenOut}`, () => {
    const request = { tokenIn: wrappedNative, tokenOut, amountIn: probeAmount, maxPaths: 1 };
    const route = findRoute(marketGraph, request);
    return route.kind === 'no-route' ? 0 : ratio(route.amountOut, route.amountIn);
  });
  return Number(gasPrice) * perNative;
}
