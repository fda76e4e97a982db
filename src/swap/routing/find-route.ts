import type { Address } from '../model.ts';
import type { PoolId } from '../pools/pool.ts';
import { createBudget } from './budget.ts';
import { decomposeFlow } from './dual/decompose-flow.ts';
import type { DualPoint } from './dual/dual-point.ts';
import { type SolvedProblem, solveProblem } from './dual/solve-problem.ts';
import { mostHops } from './graph/best-walks.ts';
import type { RoutingGraph } from './graph/routing-graph.ts';
import { poseProblem, type RoutingProblem } from './graph/routing-problem.ts';
import { at } from './graph/vectors.ts';
import { extendPlan } from './plans/extend-plan.ts';
import { makePlans } from './plans/make-plans.ts';
import { pathFlowOf } from './plans/path-flow.ts';
import { createPlanCosts, type GasCosts } from './plans/plan-costs.ts';
import { closeEnough, type PlanSearch, type WeighedPlan } from './plans/plan-search.ts';
import {
  exactSingleWalks,
  type SettledPath,
  type Settlement,
  settleFullPlan,
  settlePlan,
  settleWalks,
} from './settle-plan.ts';

export type RouteRequest = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Must be positive, and the tokens different. */
  readonly amountIn: bigint;
  /** Zero by default: then every path that adds a unit is taken. */
  readonly gas?: GasCosts;
  readonly maxHops?: number;
  readonly maxPaths?: number;
  /** Steps of the search: of Newton's method and of changes to the plan. */
  readonly budget?: number;
};

/** A proof of how much more there could be [Q19]. */
export type Certificate = {
  /**
   * No routing over the pools of the graph gives more, however many hops it takes, if the pools end where `openEnds`
   * says that they were read no further. Gas is not counted.
   */
  readonly upperBound: bigint;
  /** How far below the bound the output is, in basis points of the bound. */
  readonly gapBps: number;
  /** Pools that may give more than the bound counts, in ticks that were not read [Q48]. */
  readonly openEnds: readonly OpenEnd[];
};

/** A direction in which a pool was not read as far as a trade may go. */
export type OpenEnd = { readonly id: PoolId; readonly zeroForOne: boolean };

/** A bound on an output, and where it ends. */
export type Bound = { readonly output: number; readonly openEnds: readonly OpenEnd[] };

/** Paths settled in the integers of the contracts, and what they cost to execute. */
export type SettledRoute = {
  /** In the order of execution. */
  readonly paths: readonly SettledPath[];
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** In units of the output token, rounded up. */
  readonly gasCost: bigint;
  /** The output less the gas; may be negative. */
  readonly netAmountOut: bigint;
};

export type Route = SettledRoute & {
  readonly kind: 'route';
  /** The pools could not take the whole amount: `amountIn` is the part they take. */
  readonly isPartial: boolean;
  readonly optimality: Certificate;
  /** How much of the budget was used. */
  readonly steps: number;
  /** Whether the search ended because its budget did: more steps might find a better route, or a lower bound [Q50]. */
  readonly isCutShort: boolean;
};

export type NoRoute = {
  readonly kind: 'no-route';
  readonly reason: 'unknown-token' | 'not-connected' | 'no-output';
};

/**
 * Finds the split of an amount over paths that gives the most after gas [Q18], with a certificate
 * of how much more there could be [Q19]. Pure and deterministic; searches in float64, settles in
 * bigint. Does not check that the pools are of one block nor that the tokens behave.
 */
export function findRoute(snapshot: RoutingGraph, request: RouteRequest): Route | NoRoute {
  const search = searchAmount(snapshot, request, far);
  const { found, isFull, least } = search;
  const isWhole = found.kind === 'route' && !found.isPartial;
  const isNear = Number(request.amountIn) <= near * least;
  return isWhole && !isFull && isNear ? found : fillPools(snapshot, request, search);
}

type AmountSearch = {
  readonly found: Route | NoRoute;
  /** A bound that no routing of the amount exceeds; zero if no pools connect the tokens. */
  readonly bound: Bound;
  /** The input that would give the bound at spot prices. The pools are not full before it. */
  readonly least: number;
  /** Whether more input would add next to no output. */
  readonly isFull: boolean;
};

/**
 * In multiples of the least input that could give the bound. Beyond `near` the prices of the pools are so far from the first ones that a
 * search which begins with those may miss something; what is beyond `far` would bring next to nothing.
 */
const near = 32;
const far = 2 ** 21;

/**
 * The route where the pools are nearly used up, or cannot take all of the amount [Q3]. There the dual prices the input at next to
 * nothing and its flow is of no use: it wastes input, or is empty. So the search is repeated for amounts near the one that uses the
 * pools up, which exceeds `least`, because the price falls on the way. If the pools take more, these routes are extended: all amounts
 * beyond have the same ones to begin with, so that more never gives less.
 */
function fillPools(
  snapshot: RoutingGraph,
  request: RouteRequest,
  { found: first, bound, least }: AmountSearch,
): Route | NoRoute {
  if (!Number.isFinite(least)) return first;
  const searchFor = (amountIn: bigint) => searchAgain(snapshot, { ...request, amountIn });
  const most = BigInt(Math.ceil(far * rounded(least)));
  const isBeyond = request.amountIn > most;
  const asked = isBeyond ? { ...request, amountIn: most } : request;
  let best: Route | NoRoute = first;
  for (const times of [2, near, 16 * near, ...(isBeyond ? [far] : [])]) {
    const amount = times * rounded(least);
    if (!(amount < Number(request.amountIn))) break;
    const found = searchFor(BigInt(Math.ceil(amount)));
    if (found.kind === 'no-route') continue;
    best = betterOf(best, found.isPartial ? found : extendRoute(snapshot, asked, found));
    if (found.isPartial) break;
  }
  if (best.kind === 'no-route') return best;
  const filled = best.isPartial ? betterOf(best, searchFor(best.amountIn)) : best;
  const isPartial = filled.amountIn < request.amountIn;
  return { ...filled, isPartial, optimality: certify(filled, bound) };
}

/** Down to a power of two in quarters: what follows is the same for all amounts far beyond, whose `least` differ by next to nothing. */
function rounded(least: number): number {
  return 2 ** (Math.floor(4 * Math.log2(least)) / 4);
}

const known = new WeakMap<RoutingGraph, Map<string, Route | NoRoute>>();

/** A search for one of the amounts that many requests come down to: done once for the pools of a block [Q32]. */
function searchAgain(graph: RoutingGraph, request: RouteRequest): Route | NoRoute {
  const { tokenIn, tokenOut, amountIn, gas = noGas, maxHops, maxPaths, budget } = request;
  const { path, crossedTick } = gas;
  const asked = [tokenIn, tokenOut, amountIn, path, crossedTick, maxHops, maxPaths, budget].join();
  const ofGraph = known.get(graph) ?? new Map<string, Route | NoRoute>();
  known.set(graph, ofGraph);
  const found = ofGraph.get(asked) ?? searchAmount(graph, request).found;
  ofGraph.set(asked, found);
  return found;
}

/** The route with more of the amount over the same paths, if that gives more. */
function extendRoute(graph: RoutingGraph, request: RouteRequest, route: Route): Route {
  const places = new Map(graph.pools.map(({ id }, place) => [id, place]));
  const walks = route.paths.map(({ hops }) =>
    hops.map(({ pool, zeroForOne }) => 2 * (places.get(pool.id) ?? 0) + (zeroForOne ? 0 : 1)),
  );
  const shares = Float64Array.from(route.paths, ({ amountIn }) => Number(amountIn));
  const plan = extendPlan(graph, { walks, shares }, Number(request.amountIn));
  const total = plan.shares.reduce((sum, share) => sum + share, 0);
  const isWhole = total > Number(request.amountIn) * (1 - 1e-9);
  const amountIn = isWhole ? request.amountIn : BigInt(Math.floor(total));
  const settled = withGas(settlePlan(graph, plan, amountIn), request.gas ?? noGas);
  return settled.amountOut >= route.amountOut ? { ...route, ...settled } : route;
}

/** The route that gives more or, where they differ by a trifle, the one that takes less. */
function betterOf<Known extends Route | NoRoute>(
  known: Known,
  found: Route | NoRoute,
): Known | Route {
  if (found.kind === 'no-route') return known;
  if (known.kind === 'no-route') return found;
  const gained = found.amountOut - known.amountOut;
  const trifle = known.amountOut >> 20n;
  const isBetter = gained > trifle || (gained >= -trifle && found.amountIn < known.amountIn);
  return isBetter ? found : known;
}

/** The certificate of an output under a bound, which may be over more pools than the route had to choose from. */
export function certify(
  { amountOut }: Pick<SettledRoute, 'amountOut'>,
  { output, openEnds }: Bound,
): Certificate {
  const upperBound = BigInt(Math.floor(output));
  const gapBps = (Number(upperBound - amountOut) / Number(upperBound)) * 10_000;
  return { upperBound, gapBps, openEnds };
}

/** What no routing over any pools of the graph exceeds, whichever of them a route may use [Q48]. */
export function boundOutput(
  snapshot: RoutingGraph,
  { tokenIn, tokenOut, amountIn }: Pick<RouteRequest, 'tokenIn' | 'tokenOut' | 'amountIn'>,
): Bound {
  const source = snapshot.tokenNumbers.get(tokenIn);
  const sink = snapshot.tokenNumbers.get(tokenOut);
  if (source === undefined || sink === undefined) return noBound;
  const whole = poseProblem(snapshot, {
    source,
    sink,
    amount: Number(amountIn),
    maxHops: mostHops,
  });
  if (!(at(whole.spot, source) > 0)) return noBound;
  return boundOf(solveProblem(whole, { prices: whole.spot, budget: createBudget(mostSteps) }));
}

const noBound: Bound = { output: 0, openEnds: [] };

function boundOf({ problem, bound, openEnds }: SolvedProblem): Bound {
  const { pools } = problem.graph;
  return {
    output: bound,
    openEnds: openEnds.flatMap((edge) => {
      const pool = pools[edge >> 1];
      return pool === undefined ? [] : [{ id: pool.id, zeroForOne: (edge & 1) === 0 }];
    }),
  };
}

/**
 * Routing is a concave maximisation over flows in a network. Its dual, over token prices, is solved first: that gives the
 * bound and the best flow. The flow is decomposed into walks, their shares are balanced in the order of execution, and
 * walks that do not earn their cost are dropped. The plan that is left is settled exactly, and so is the best single
 * walk.
 */
function searchAmount(
  snapshot: RoutingGraph,
  request: RouteRequest,
  most = Number.POSITIVE_INFINITY,
): AmountSearch {
  const { amountIn, gas = noGas, maxPaths = mostPaths } = request;
  const source = snapshot.tokenNumbers.get(request.tokenIn);
  const sink = snapshot.tokenNumbers.get(request.tokenOut);
  if (source === undefined || sink === undefined) return nothingFound('unknown-token');
  const whole = poseProblem(snapshot, {
    source,
    sink,
    amount: Number(amountIn),
    maxHops: request.maxHops ?? mostHops,
  });
  const { spot } = whole;
  if (!(at(spot, source) > 0)) return nothingFound('not-connected');

  const budget = createBudget(request.budget ?? mostSteps);
  const solved = solveProblem(whole, { prices: spot, budget });
  const { problem, point } = solved;
  const bound = boundOf(solved);
  const least = bound.output / at(spot, source);
  const isFull = isWorthNothing(problem, point);
  if (problem.amount > most * least) {
    return { ...nothingFound('no-output'), bound, least, isFull };
  }
  const { graph } = problem;
  const flow = pathFlowOf(graph);
  const costs = createPlanCosts(problem, { gas, prices: spot });
  const search: PlanSearch = {
    problem,
    prices: point.prices,
    flow,
    costs,
    maxPaths,
    bound: bound.output,
    budget,
  };

  const split = decomposeFlow(problem, point, maxPaths);
  const dearest = problem.tokens.reduce((most, token) => Math.max(most, at(spot, token)), 0);
  const plans = withoutHopeless(makePlans(search, split), dearest);
  const settlements = plans.map((plan) => settlePlan(graph, plan, amountIn));
  if (mayRunOut(problem, point)) settlements.push(settleFullPlan(graph, split, amountIn));
  const value = at(spot, source) * problem.amount;
  if (plans.length === 0 || dearest > coarse * value) {
    for (const walk of exactSingleWalks(problem, amountIn)) {
      settlements.push(settleWalks(graph, [{ walk, amountIn }]));
    }
  }
  const routes = settlements
    .filter((settlement) => settlement.amountOut > 0n)
    .map((settlement) => withGas(settlement, gas))
    .sort((left, right) => Number(right.netAmountOut - left.netAmountOut));
  const [best] = routes;
  if (best === undefined) return { ...nothingFound('no-output'), bound, least, isFull };
  const found: Route = {
    kind: 'route',
    ...best,
    isPartial: best.amountIn < amountIn,
    optimality: certify(best, bound),
    steps: budget.spent(),
    isCutShort: budget.isShort(),
  };
  return { found, bound, least, isFull };
}

function nothingFound(reason: NoRoute['reason']): AmountSearch {
  const found = { kind: 'no-route', reason } as const;
  return { found, bound: noBound, least: Number.POSITIVE_INFINITY, isFull: false };
}

/** Few pools need more. Beside them gas decides, and without it time: it grows with the square of the paths. */
const mostPaths = 32;
const mostSteps = 120;

const noGas: GasCosts = { path: 0, hops: {}, crossedTick: 0 };
/** If a unit of some token is worth more than this part of the trade, float64 is too coarse. */
const coarse = 1e-4;

/**
 * Settling takes as long as searching, so only plans that may turn out to be the best are settled [Q31]: those that are
 * behind by at most the error of float64 and balancing, plus some units of the token whose unit is worth most.
 */
function withoutHopeless(plans: readonly WeighedPlan[], dearest: number): WeighedPlan[] {
  const best = Math.max(...plans.map(({ net }) => net));
  return plans.filter(
    ({ net, output }) => !(net < best - closeEnough * output - someUnits * dearest),
  );
}

/** By how many units the model of rounding losses may err over the hops of a plan. */
const someUnits = 20;

/** Whether the pools may fill up before the amount is used: input is left over, and more of it is worth nothing. */
function mayRunOut(problem: RoutingProblem, point: DualPoint): boolean {
  const isLeftOver = at(point.excess, problem.source) > 1e-9 * problem.amount;
  return isLeftOver && isWorthNothing(problem, point);
}

/** Whether a further unit of input is worth next to nothing compared with those before it. */
function isWorthNothing({ source, amount }: RoutingProblem, point: DualPoint): boolean {
  return at(point.prices, source) * amount < 1e-6 * point.value;
}

function withGas(settlement: Settlement, gas: GasCosts): SettledRoute {
  const { paths, amountIn, amountOut, crossedTicks } = settlement;
  let cost = crossedTicks * gas.crossedTick;
  for (const path of paths) {
    cost += gas.path;
    for (const { pool } of path.hops) cost += gas.hops[pool.kind] ?? 0;
  }
  const gasCost = BigInt(Math.ceil(cost));
  return { paths, amountIn, amountOut, gasCost, netAmountOut: amountOut - gasCost };
}
