import { at } from '../../graph/vector-access.ts';
import type { PlanSearch } from '../plan-search.ts';
import { type WeighedPlan, weighPlan } from '../weigh-plan.ts';
import { walksForAmount } from './walks-for-amount.ts';

/**
 * The plan with one walk in the place of another, if that leaves more: the same share may find a way
 * that gives a little less and costs much less gas.
 */
export function rerouteWalk(search: PlanSearch, plan: WeighedPlan): WeighedPlan | undefined {
  if (search.costs.isFree || plan.walks.length > fewWalks) return undefined;
  const known = new Set(plan.walks.map((walk) => walk.join()));
  for (const index of plan.walks.keys()) {
    const rest = { walks: plan.walks, shares: plan.shares.with(index, 0) };
    const amount = at(plan.shares, index);
    const walk = walksForAmount(search, { rest, amount }).bestTo(search.problem.sink)?.walk;
    if (walk === undefined || known.has(walk.join())) continue;
    const rerouted = weighPlan(search, {
      walks: plan.walks.with(index, walk),
      shares: plan.shares,
    });
    if (rerouted.net > plan.net + worthwhile * plan.output) return rerouted;
  }
  return undefined;
}

/** Gas decides between walks only where few of them earn it. */
const fewWalks = 6;
/** Relative gain for which a plan is changed; keeps the search from moving in circles. */
const worthwhile = 1e-12;
