import { type BestWalks, findBestWalks } from '../../graph/best-walks.ts';
import { rateAfter } from '../../graph/edge-curve.ts';
import { reserveInOf, reserveOutOf } from '../../graph/reserves.ts';
import { reuseFloats } from '../../graph/reused-vectors.ts';
import { at, intAt } from '../../graph/vector-access.ts';
import type { Plan } from '../path-flow.ts';
import type { PlanSearch } from '../plan-search.ts';

/** How pairs that the plan uses already are priced for one more walk. */
export type PairPricing =
  /** As if all went through the pair in one swap, which holds if the new walk takes it over. */
  | 'merged'
  /** As a further swap finds it, with the fee in its reserves. */
  | 'apart';

const ratesOf = reuseFloats();

/** The walks that give most for one more small unit of the source after a plan has been executed. */
export function walksAtMargin(
  { problem, flow }: PlanSearch,
  plan: Plan,
  pricing: PairPricing,
): BestWalks {
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
