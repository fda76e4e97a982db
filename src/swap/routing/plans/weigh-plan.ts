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
  const used = [...balanced.shares.keys()].filter((index) => at(balanced.shares, index) > 0);
  const walks = used.map((index) => balanced.walks[index] ?? []);
  const shares = Float64Array.from(used, (index) => at(balanced.shares, index));
  const output = flow.run({ walks, shares });
  const cost = walks.reduce((sum, walk) => sum + costs.ofWalk(walk), 0);
  return { walks, shares, output, net: output - cost - costs.ofCrossedTicks(flow, walks) };
}
