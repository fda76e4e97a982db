import { improvePlan } from './improve-plan.ts';
import { isGood } from './is-good.ts';
import type { Plan } from './path-flow.ts';
import type { PlanSearch } from './plan-search.ts';
import { walksForAmount } from './walks/walks-for-amount.ts';
import { type WeighedPlan, weighPlan } from './weigh-plan.ts';

/**
 * Plans for the whole amount, each a different way to think: the best flow cut down to what earns
 * its cost, the best single walk, and where those may have missed something what grows from that
 * walk. With gas the best plan may hold few walks, and none that the best flow is made of.
 */
export function makePlans(search: PlanSearch, split: Plan): WeighedPlan[] {
  const { problem } = search;
  const { amount } = problem;
  const plans: WeighedPlan[] = [];
  if (split.walks.length > 0) {
    const total = split.shares.reduce((sum, share) => sum + share, 0);
    const shares = split.shares.map((share) => (share * amount) / total);
    plans.push(improvePlan(search, { walks: split.walks, shares }));
  }
  const singles = walksForAmount(search, { rest: nothing, amount })
    .eachTo(problem.sink)
    .map((walk) => weighPlan(search, { walks: [walk], shares: Float64Array.of(amount) }))
    .sort((left, right) => right.net - left.net)
    .slice(0, 1);

  const [cutDown] = plans;
  const isLarge = cutDown !== undefined && cutDown.walks.length > fewWalks;
  plans.push(...singles);
  if (!(cutDown && isGood(search, cutDown)) && !isLarge)
    plans.push(...singles.map((plan) => improvePlan(search, plan)));
  return distinct(plans);
}

const nothing: Plan = { walks: [], shares: new Float64Array() };

/** Growing a plan walk by walk finds what cutting down misses only where few walks are worth it. */
const fewWalks = 6;

/** Plans over the same walks are the same: their shares are balanced. */
function distinct(plans: readonly WeighedPlan[]): WeighedPlan[] {
  const byWalks = new Map<string, WeighedPlan>();
  for (const plan of plans) {
    const key = plan.walks.map((walk) => walk.join()).join(';');
    if (!byWalks.has(key)) byWalks.set(key, plan);
  }
  return [...byWalks.values()];
}
