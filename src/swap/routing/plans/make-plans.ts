import { at } from '../graph/vector-access.ts';
import { improvePlan } from './improve-plan.ts';
import { isBest, isGood } from './is-good.ts';
import type { Plan } from './path-flow.ts';
import type { PlanSearch } from './plan-search.ts';
import { walksForAmount } from './walks/walks-for-amount.ts';
import { type WeighedPlan, weighPlan } from './weigh-plan.ts';

/**
 * Plans for the whole amount from different starts: the best flow cut down to the walks that earn
 * their cost, the best single walk and, if those may have missed something, a plan grown from that
 * walk. With gas the best plan may have few walks, and none of those in the best flow.
 */
export function makePlans(search: PlanSearch, split: Plan): WeighedPlan[] {
  const { amount, sink } = search.problem;
  const cutDown = split.walks.length > 0 ? improvePlan(search, scaleTo(amount, split)) : undefined;
  if (cutDown && isBest(search, cutDown)) return [cutDown];
  const singles = walksForAmount(search, { rest: nothing, amount })
    .eachTo(sink)
    .map((walk) => weighPlan(search, { walks: [walk], shares: Float64Array.of(amount) }))
    .sort((left, right) => right.net - left.net)
    .slice(0, 1);

  const isEnough = cutDown && (isGood(search, cutDown) || cutDown.walks.length > fewWalks);
  const grown = isEnough ? [] : singles.map((plan) => improvePlan(search, plan));
  return distinct([...(cutDown ? [cutDown] : []), ...singles, ...grown]);
}

function scaleTo(amount: number, { walks, shares }: Plan): Plan {
  let total = 0;
  for (const share of shares) total += share;
  const scaled = new Float64Array(shares);
  for (let index = 0; index < scaled.length; index++) {
    scaled[index] = (at(scaled, index) * amount) / total;
  }
  return { walks, shares: scaled };
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
