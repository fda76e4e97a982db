import type { PlanSearch } from './plan-search.ts';
import type { WeighedPlan } from './weigh-plan.ts';

/**
 * Relative distance from the bound at which a plan is good: a hundredth of a basis point, as Q19 wants it. What is nearer
 * takes the longest to find: large trades over all paths that may be, each of them a little better than the one before.
 */
export const closeEnough = 1e-6;

/** Whether the plan is so near to the bound that looking for a better one is of no use to anybody. */
export function isBest({ bound }: Pick<PlanSearch, 'bound'>, { net }: WeighedPlan): boolean {
  return bound - net < 1e-8 * bound;
}

/** Whether no plan leaves perceptibly more than this one, since none gives more than the bound. */
export function isGood({ bound }: Pick<PlanSearch, 'bound'>, { net }: WeighedPlan): boolean {
  return bound - net < closeEnough * bound;
}
