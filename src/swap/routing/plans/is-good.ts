import type { PlanSearch } from './plan-search.ts';
import type { WeighedPlan } from './weigh-plan.ts';

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
