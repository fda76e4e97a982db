import { isGood } from './is-good.ts';
import type { Plan } from './path-flow.ts';
import type { PlanSearch } from './plan-search.ts';
import { addWalk } from './walks/add-walk.ts';
import { dropWalk } from './walks/drop-walk.ts';
import { rerouteWalk } from './walks/reroute-walk.ts';
import { type WeighedPlan, weighPlan } from './weigh-plan.ts';

/**
 * Local search for a plan that leaves more after costs. A move drops a walk that does not earn its
 * cost, adds the walk with the best price in the pools as the plan leaves them, or reroutes a share.
 * Ends when no move helps, when no plan could leave perceptibly more, or when the budget is spent.
 *
 * Adding by price is column generation: on a network without fixed costs and without pairs, a plan
 * that no walk can improve at the margin is the best there is.
 */
export function improvePlan(search: PlanSearch, start: Plan): WeighedPlan {
  let plan = weighPlan(search, start);
  while (!isGood(search, plan) && search.budget.spend()) {
    const better = dropWalk(search, plan) ?? addWalk(search, plan) ?? rerouteWalk(search, plan);
    if (better === undefined) break;
    plan = better;
  }
  return plan;
}
