import type { Walk } from '../graph/best-walks.ts';
import { segmentAfter } from '../graph/edge-curve.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt, reuseFloats } from '../graph/vectors.ts';
import type { PathFlow } from './path-flow.ts';

/** What execution costs, in units of the output token: gas used times what one unit of gas costs. */
export type GasCosts = {
  readonly path: number;
  /** By the kind of the pool; nothing where it is not named. */
  readonly hops: Readonly<Record<string, number>>;
  readonly crossedTick: number;
};

/** What a plan costs beside the price of the pools, in units of the output token. */
export type PlanCosts = {
  /** Whether gas costs nothing, so that rounding is the only cost of a walk. */
  readonly isFree: boolean;
  /** A hop's gas, and what rounding in integers is likely to take from it. */
  readonly ofHop: (edge: number) => number;
  /** A walk's gas, and what rounding in integers is likely to take from it. */
  readonly ofWalk: (walk: Walk) => number;
  /** What the cheapest walk costs at least. */
  readonly leastOfWalk: number;
  /** The gas of the ticks that were crossed in the last run of a flow over these walks. */
  readonly ofCrossedTicks: (flow: PathFlow, walks: readonly Walk[]) => number;
};

const costsOf = reuseFloats();

/**
 * Weighs walks at the given token prices. Each hop gives up to one unit of its output token to
 * rounding, a concentrated one also about one of its input: next to nothing, except for small trades
 * and for tokens with few decimals, where it limits, as gas does, how far splitting pays.
 */
export function createPlanCosts(
  { graph, edges }: Pick<RoutingProblem, 'graph' | 'edges'>,
  { gas, prices }: { gas: GasCosts; prices: Float64Array },
): PlanCosts {
  const roundingOfHop = (edge: number) => {
    const lostOutput = at(prices, intAt(graph.to, edge));
    const isPair = intAt(graph.compounds, edge) === 1;
    return isPair ? lostOutput : lostOutput + at(prices, intAt(graph.from, edge));
  };
  const gasOfHop = (edge: number) => gas.hops[graph.pools[edge >> 1]?.kind ?? ''] ?? 0;
  const hopCosts = costsOf(graph.from.length);
  let leastOfHop = Number.POSITIVE_INFINITY;
  for (const edge of edges) {
    hopCosts[edge] = gasOfHop(edge) + roundingOfHop(edge);
    leastOfHop = Math.min(leastOfHop, at(hopCosts, edge));
  }
  const ofHop = (edge: number) => at(hopCosts, edge);
  const ofWalk = (walk: Walk) => walk.reduce((sum, edge) => sum + ofHop(edge), gas.path);
  const ofCrossedTicks = (flow: PathFlow, walks: readonly Walk[]) => {
    if (gas.crossedTick === 0) return 0;
    let crossed = 0;
    for (const edge of new Set(walks.flat())) {
      if (intAt(graph.ticked, edge) === 0) continue;
      const segment = segmentAfter(graph, edge, at(flow.taken, edge));
      crossed += segment - intAt(graph.firstSegment, edge);
    }
    return crossed * gas.crossedTick;
  };
  const costs = [gas.path, gas.crossedTick, ...Object.values(gas.hops)];
  const isFree = costs.every((cost) => cost === 0);
  return { isFree, ofHop, ofWalk, leastOfWalk: gas.path + leastOfHop, ofCrossedTicks };
}
