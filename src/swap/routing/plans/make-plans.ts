import { at } from '../graph/vectors.ts';
import { addWalk, dropWalk, rerouteWalk, walksForAmount } from './change-plan.ts';
import type { Plan } from './path-flow.ts';
import { isBest, isGood, type PlanSearch, type WeighedPlan, weighPlan } from './plan-search.ts';

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
