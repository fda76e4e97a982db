import { isGood } from './is-good.ts';
import type { Plan } from './path-flow.ts';
import type { PlanSearch } from './plan-search.ts';
import { addWalk } from './walks/add-walk.ts';
import { dropWalk } from './walks/drop-walk.ts';
import { rerouteWalk } from './walks/reroute-walk.ts';
import { type WeighedPlan, weighPlan } from './weigh-plan.ts';

/**
 * Searches near a plan for one that leaves more after costs: dropping a walk that does not earn its
 * cost, adding the walk that the pools as the plan leaves them price best, or leading a share another
 * way. Ends when no such move helps, or when no plan could leave perceptibly more.
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
