import { at } from '../graph/vector-access.ts';
import { balanceShares } from './balance-shares.ts';
import type { PathFlow, Plan } from './path-flow.ts';
import type { PlanCosts } from './plan-costs.ts';

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
