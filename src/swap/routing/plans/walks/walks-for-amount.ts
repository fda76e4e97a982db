import { type BestWalks, findBestWalks } from '../../graph/best-walks.ts';
import { at, intAt } from '../../graph/vector-access.ts';
import type { Plan } from '../path-flow.ts';
import type { PlanSearch } from '../plan-search.ts';

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
