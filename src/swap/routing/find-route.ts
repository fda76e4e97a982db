import type { Address } from '../address.ts';
import { createBudget } from './budget.ts';
import { decomposeFlow } from './dual/decompose-flow.ts';
import type { DualPoint } from './dual/dual-point.ts';
import { solveProblem } from './dual/solve-problem.ts';
import { spotPrices } from './dual/spot-prices.ts';
import type { RoutingGraph } from './graph/routing-graph.ts';
import { poseProblem, type RoutingProblem } from './graph/routing-problem.ts';
import { at } from './graph/vector-access.ts';
import { makePlans } from './plans/make-plans.ts';
import { pathFlowOf } from './plans/path-flow.ts';
import { createPlanCosts, type GasCosts } from './plans/plan-costs.ts';
import type { PlanSearch } from './plans/plan-search.ts';
import type { WeighedPlan } from './plans/weigh-plan.ts';
import { exactSingleWalks } from './settle/exact-single-walks.ts';
import { settleFullPlan, settlePlan } from './settle/settle-plan.ts';
import { type SettledPath, type Settlement, settleWalks } from './settle/settle-walks.ts';

export type RouteRequest = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Must be positive, and the tokens different. */
  readonly amountIn: bigint;
  /** Nothing by default: every path that adds a unit is taken. */
  readonly gas?: GasCosts;
  readonly maxHops?: number;
  readonly maxPaths?: number;
  /** Steps of thinking: of Newton's method and of changes to the plan. */
  readonly budget?: number;
};

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
  readonly optimality: {
    /** No routing within the hop limit over the known pools gives more, gas not counted [Q19]. */
    readonly upperBound: bigint;
    /** How far below the bound the output is, in basis points of the bound. */
    readonly gapBps: number;
  };
  /** Routes that were settled too, since they leave hardly less after gas, best first. */
  readonly alternatives: readonly SettledRoute[];
  /** How much of the budget was used. */
  readonly steps: number;
};

export type NoRoute = {
  readonly kind: 'no-route';
  readonly reason: 'unknown-token' | 'not-connected' | 'no-output';
};

/**
 * Finds the split of an amount over paths that gives the most after gas [Q18], with a certificate
 * of how much more there could be [Q19]. Pure and deterministic; searches in float64, settles in
 * bigint. Does not check that the pools are of one block nor that the tokens behave.
 *
 * The best routing is a concave maximum over flows in a network. Its dual, over token prices, is
 * solved first: that gives the bound and the best flow. The flow is written as paths, the shares
 * are balanced as execution would find the pools, paths that do not earn their cost are dropped,
 * and what is left is settled exactly beside the best single path.
 */
export function findRoute(snapshot: RoutingGraph, request: RouteRequest): Route | NoRoute {
  const { amountIn, gas = noGas, maxHops = 4, maxPaths = 16 } = request;
  const source = snapshot.tokenNumbers.get(request.tokenIn);
  const sink = snapshot.tokenNumbers.get(request.tokenOut);
  if (source === undefined || sink === undefined)
    return { kind: 'no-route', reason: 'unknown-token' };
  const whole = poseProblem(snapshot, { source, sink, amount: Number(amountIn), maxHops });
  const spot = spotPrices(whole);
  if (!(at(spot, source) > 0)) return { kind: 'no-route', reason: 'not-connected' };

  const budget = createBudget(request.budget ?? 120);
  const { problem, point, bound } = solveProblem(whole, { prices: spot, budget });
  const { graph } = problem;
  const flow = pathFlowOf(graph);
  const costs = createPlanCosts(problem, { gas, prices: spot });
  const search: PlanSearch = {
    problem,
    prices: point.prices,
    flow,
    costs,
    maxPaths,
    bound,
    budget,
  };

  const split = decomposeFlow(problem, point, maxPaths);
  const plans = withoutHopeless(makePlans(search, split));
  const settlements = plans.map((plan) => settlePlan(graph, plan, amountIn));
  if (mayRunOut(problem, point)) settlements.push(settleFullPlan(graph, split, amountIn));
  const value = at(spot, source) * problem.amount;
  if (plans.length === 0 || problem.tokens.some((token) => at(spot, token) > coarse * value)) {
    for (const walk of exactSingleWalks(problem, amountIn)) {
      settlements.push(settleWalks(graph, [{ walk, amountIn }]));
    }
  }
  const routes = settlements
    .filter((settlement) => settlement.amountOut > 0n)
    .map((settlement) => withGas(settlement, gas))
    .sort((left, right) => Number(right.netAmountOut - left.netAmountOut));
  const [best, ...alternatives] = routes;
  if (best === undefined) return { kind: 'no-route', reason: 'no-output' };
  const upper = BigInt(Math.floor(bound));
  return {
    kind: 'route',
    ...best,
    isPartial: best.amountIn < amountIn,
    optimality: {
      upperBound: upper,
      gapBps: (Number(upper - best.amountOut) / Number(upper)) * 10_000,
    },
    alternatives,
    steps: budget.spent(),
  };
}

const noGas: GasCosts = { path: 0, hops: {}, crossedTick: 0 };
/** Part of the trade that a unit of some token is worth where float64 no longer thinks well. */
const coarse = 1e-4;

/** Part of the output by which a plan is so much worse that whole units cannot decide otherwise. */
const hopeless = 10 * coarse;

/** Settling takes as long as finding, so only plans are settled that may turn out to be the best [Q31]. */
function withoutHopeless(plans: readonly WeighedPlan[]): WeighedPlan[] {
  const best = Math.max(...plans.map(({ net }) => net));
  return plans.filter(({ net, output }) => !(net < best - hopeless * output));
}

/** Whether the pools may end before the amount does: input is left over and more of it worth nothing. */
function mayRunOut({ source, amount }: RoutingProblem, point: DualPoint): boolean {
  const isLeftOver = at(point.excess, source) > 1e-9 * amount;
  return isLeftOver && at(point.prices, source) * amount < 1e-6 * point.value;
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
