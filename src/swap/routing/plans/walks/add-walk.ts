import type { Walk } from '../../graph/best-walks.ts';
import { at, intAt } from '../../graph/vector-access.ts';
import { closeEnough } from '../is-good.ts';
import type { Plan } from '../path-flow.ts';
import type { PlanSearch } from '../plan-search.ts';
import { type WeighedPlan, weighPlan } from '../weigh-plan.ts';
import { dropSmallestWalk } from './drop-walk.ts';
import { walksAtMargin } from './walks-at-margin.ts';
import { walksForAmount } from './walks-for-amount.ts';

/** The plan with one more walk, if one is found that gains more than it costs. */
export function addWalk(search: PlanSearch, plan: WeighedPlan): WeighedPlan | undefined {
  if (search.bound - plan.output < closeEnough * search.bound) return undefined;
  const known = new Set(plan.walks.map((walk) => walk.join()));
  for (const walk of promisingWalks(search, plan)) {
    if (known.has(walk.join())) continue;
    known.add(walk.join());
    const better = tryWalk(search, plan, walk);
    if (better && better.net > plan.net + worthwhile * plan.output) return better;
  }
  return undefined;
}

/**
 * Walks that are better than the plan at the margin; where gas counts, also walks that are best for a
 * whole part of the trade, since what is best at the margin may not be worth its gas.
 */
function* promisingWalks(search: PlanSearch, plan: WeighedPlan): Generator<Walk> {
  const { sink, amount } = search.problem;
  const margin = marginOf(search, plan);
  for (const pricing of ['merged', 'apart'] as const) {
    const best = walksAtMargin(search, plan, pricing).bestTo(sink);
    if (best !== undefined && best.value > margin * (1 + imperceptible)) yield best.walk;
  }
  if (search.costs.leastOfWalk >= search.bound - plan.output) return;
  if (search.costs.isFree) return;
  for (const part of parts) {
    const shares = plan.shares.map((share) => share * (1 - part));
    const rest = { walks: plan.walks, shares };
    const best = walksForAmount(search, { rest, amount: part * amount }).bestTo(sink);
    if (best !== undefined) yield best.walk;
  }
}

const parts = [0.5, 0.2, 0.05];

/**
 * Tries the walk beside the others and, if it would share a pair with some, in their place; returns the
 * better plan. Sharing a pair costs more than taking it over, so a small share of the new walk does not
 * show what a large one gains. Beside the others the walk is tried only if it could earn its cost, since no
 * plan gives more than the bound.
 */
function tryWalk(search: PlanSearch, plan: WeighedPlan, walk: Walk): WeighedPlan | undefined {
  const tries: WeighedPlan[] = [];
  if (search.costs.ofWalk(walk) < search.bound - plan.output) {
    const beside = weighPlan(
      search,
      withWalk(plan, walk, () => false),
    );
    const isTooMany = beside.walks.length > search.maxPaths;
    tries.push(isTooMany ? dropSmallestWalk(search, beside) : beside);
  }
  const { compounds } = search.problem.graph;
  const displaces = (other: Walk) =>
    other.some((edge) => intAt(compounds, edge) === 1 && walk.includes(edge));
  if (plan.walks.some(displaces)) {
    tries.push(weighPlan(search, withWalk(plan, walk, displaces)));
  }
  return tries.reduce<WeighedPlan | undefined>(
    (best, one) => (best === undefined || one.net > best.net ? one : best),
    undefined,
  );
}

/** Relative advantage over the margin that float64 cannot tell from none. */
const imperceptible = 1e-10;
/** Relative gain for which a plan is changed; keeps the search from moving in circles. */
const worthwhile = 1e-12;

/** The plan with one walk more, which gets the shares of those it displaces. */
function withWalk(plan: Plan, walk: Walk, displaces: (known: Walk) => boolean): Plan {
  const walks: Walk[] = [];
  const shares: number[] = [];
  let freed = 0;
  plan.walks.forEach((known, index) => {
    if (displaces(known)) {
      freed += at(plan.shares, index);
    } else {
      walks.push(known);
      shares.push(at(plan.shares, index));
    }
  });
  return { walks: [...walks, walk], shares: Float64Array.of(...shares, freed) };
}

/** Output for one more unit of input: the margin that all shares of a balanced plan have. */
function marginOf({ flow }: PlanSearch, plan: Plan): number {
  const gradient = new Float64Array(plan.walks.length);
  flow.run(plan, gradient);
  return Math.max(...gradient.filter((_, index) => at(plan.shares, index) > 0));
}
