import { type BestWalks, findBestWalks, type Walk } from '../graph/best-walks.ts';
import { rateAfter, reserveInOf, reserveOutOf } from '../graph/edge-curve.ts';
import { at, intAt, reuseFloats } from '../graph/vectors.ts';
import { type ShareResponse, shareResponse } from './balance-shares.ts';
import type { Plan } from './path-flow.ts';
import { closeEnough, type PlanSearch, type WeighedPlan, weighPlan } from './plan-search.ts';

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
function dropSmallestWalk(search: PlanSearch, plan: WeighedPlan): WeighedPlan {
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

/** How pairs that the plan uses already are priced for one more walk. */
type PairPricing =
  /** As if all went through the pair in one swap, which holds if the new walk takes it over. */
  | 'merged'
  /** As a further swap finds it, with the fee in its reserves. */
  | 'apart';

const ratesOf = reuseFloats();

/** The walks that give most for one more small unit of the source after a plan has been executed. */
function walksAtMargin({ problem, flow }: PlanSearch, plan: Plan, pricing: PairPricing): BestWalks {
  const { graph, edges, source, maxHops } = problem;
  flow.run(plan);
  const rates = ratesOf(graph.from.length);
  for (const edge of edges) {
    // Against the direction the plan trades in, a pool only gives back what it took.
    if (at(flow.taken, edge ^ 1) > 0) continue;
    const taken = at(flow.taken, edge);
    if (taken === 0 || intAt(graph.compounds, edge) === 0) {
      rates[edge] = rateAfter(graph, edge, taken);
      continue;
    }
    const keep = at(graph.keep, edge);
    const reserveIn = reserveInOf(graph, edge);
    const reserveOut = reserveOutOf(graph, edge);
    rates[edge] =
      pricing === 'merged'
        ? (keep * reserveIn * reserveOut) / (reserveIn + keep * taken) ** 2
        : (keep * (reserveOut - at(flow.given, edge))) / (reserveIn + taken);
  }
  return findBestWalks({
    graph,
    edges,
    root: source,
    hops: maxHops,
    start: 1,
    step: (edge, rate) => rate * at(rates, edge),
  });
}

/**
 * The walks that give the most for an amount of the source after the rest of a plan has been
 * executed, less the cost of each hop. They avoid pools that cannot take all that reaches them, and
 * pools that the rest trades in the other direction.
 */
export function walksForAmount(
  { problem, prices, flow, costs }: PlanSearch,
  { rest, amount }: { rest: Plan; amount: number },
): BestWalks {
  const { graph, edges, source, maxHops } = problem;
  flow.run(rest);
  return findBestWalks({
    graph,
    edges,
    root: source,
    hops: maxHops,
    start: amount,
    step: (edge, input) => {
      const end = intAt(graph.firstSegment, edge + 1) - 1;
      const trading = (at(flow.taken, edge) + input) * at(graph.keep, edge);
      const isPassable = trading <= at(graph.inputBefore, end) && at(flow.taken, edge ^ 1) === 0;
      if (!isPassable) return 0;
      return flow.swap(edge, input) - costs.ofHop(edge) / at(prices, intAt(graph.to, edge));
    },
  });
}
