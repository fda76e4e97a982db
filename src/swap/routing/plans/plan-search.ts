import type { Budget } from '../budget.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import type { PathFlow } from './path-flow.ts';
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
