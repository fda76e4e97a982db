import { at } from '../../graph/vector-access.ts';
import type { Plan } from '../path-flow.ts';
import type { PlanSearch } from '../plan-search.ts';
import { type ShareResponse, shareResponse } from '../share-response.ts';
import { type WeighedPlan, weighPlan } from '../weigh-plan.ts';

/**
 * The plan without a walk that costs more than it brings, if there is one. Which walks to try is read
 * from the response of the shares, which says what the plan would lose without each.
 */
export function dropWalk(search: PlanSearch, plan: WeighedPlan): WeighedPlan | undefined {
  const least = negligible * plan.output;
  const isCostly = plan.walks.some((walk) => search.costs.ofWalk(walk) > least);
  if (plan.walks.length < 2 || !isCostly) return undefined;
  const response = responseOf(search, plan);
  const doubtful = plan.walks
    .map((walk, index) => {
      const brought = at(plan.shares, index) ** 2 / 2 / response.at(index, index);
      return { index, saved: search.costs.ofWalk(walk) - brought };
    })
    .filter(({ saved }) => saved > 0)
    .sort((left, right) => right.saved - left.saved);
  for (const { index } of doubtful.slice(0, maxTries)) {
    const fewer = weighPlan(search, without(plan, index, response));
    if (fewer.net > plan.net) return fewer;
  }
  return undefined;
}

const maxTries = 3;
/** Costs below this part of the output are ignored: it is far below the error of the model. */
const negligible = 1e-12;

/** The plan without the walk that carries least. */
export function dropSmallestWalk(search: PlanSearch, plan: WeighedPlan): WeighedPlan {
  const index = plan.shares.indexOf(Math.min(...plan.shares));
  return weighPlan(search, without(plan, index, responseOf(search, plan)));
}

function responseOf({ flow }: PlanSearch, plan: Plan): ShareResponse {
  return shareResponse(flow, plan, [...plan.walks.keys()]);
}

/** Distributes the share of a walk over the others, by their response to its loss. */
function without(plan: Plan, index: number, response: ShareResponse): Plan {
  const factor = at(plan.shares, index) / response.at(index, index);
  const rest = plan.shares
    .map((share, other) => Math.max(0, share - factor * response.at(index, other)))
    .filter((_, other) => other !== index);
  const sum = (shares: Float64Array) => shares.reduce((total, share) => total + share, 0);
  const scale = sum(plan.shares) / sum(rest);
  return { walks: plan.walks.toSpliced(index, 1), shares: rest.map((share) => share * scale) };
}
