import type { Budget } from '../budget.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at } from '../graph/vectors.ts';
import { balanceShares } from './balance-shares.ts';
import type { PathFlow, Plan } from './path-flow.ts';
import type { PlanCosts } from './plan-costs.ts';

/** What every step of the search for plans works with. */
export type PlanSearch = {
  readonly problem: RoutingProblem;
  /** What a small amount of each token is worth in the sink token. */
  readonly prices: Float64Array;
  readonly flow: PathFlow;
  readonly costs: PlanCosts;
  readonly maxPaths: number;
  /** What no plan can exceed. */
  readonly bound: number;
  readonly budget: Budget;
};

/** A plan with balanced shares, what it gives, and what of that is left after its costs. */
export type WeighedPlan = Plan & { readonly output: number; readonly net: number };

/** Balances the shares of a plan, leaves out walks that end up with none, and counts the costs. */
export function weighPlan(
  { flow, costs }: { readonly flow: PathFlow; readonly costs: PlanCosts },
  plan: Plan,
): WeighedPlan {
  const balanced = balanceShares(flow, plan);
  const { walks, shares } = balanced.shares.includes(0) ? withoutIdle(balanced) : balanced;
  const output = flow.run({ walks, shares });
  let cost = costs.ofCrossedTicks(flow, walks);
  for (const walk of walks) cost += costs.ofWalk(walk);
  return { walks, shares, output, net: output - cost };
}

function withoutIdle({ walks, shares }: Plan): Plan {
  return {
    walks: walks.filter((_, index) => at(shares, index) > 0),
    shares: shares.filter((share) => share > 0),
  };
}

/**
 * Relative distance from the bound at which a plan is good: a hundredth of a basis point, as Q19 demands. Getting nearer
 * takes the longest: large trades over all paths that are allowed, each plan a little better than the one before.
 */
export const closeEnough = 1e-6;

/** Whether the plan is so near to the bound that a search for a better one is useless. */
export function isBest({ bound }: Pick<PlanSearch, 'bound'>, { net }: WeighedPlan): boolean {
  return bound - net < 1e-8 * bound;
}

/** Whether no plan leaves perceptibly more than this one, since none gives more than the bound. */
export function isGood({ bound }: Pick<PlanSearch, 'bound'>, { net }: WeighedPlan): boolean {
  return bound - net < closeEnough * bound;
}
