import { simulateSwap } from '../../pools/simulate-swap.ts';
import { findBestWalks, type Walk } from '../graph/best-walks.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';

/**
 * For each number of hops the walk that alone gives most for the whole amount, in the integers of the
 * contracts: where whole units decide, float64 cannot tell which walk is best.
 */
export function exactSingleWalks(problem: RoutingProblem, amountIn: bigint): Walk[] {
  const { graph, edges, source, sink, maxHops } = problem;
  const search = findBestWalks<bigint>({
    graph,
    edges,
    root: source,
    hops: maxHops,
    start: amountIn,
    step: (edge, input) => {
      const pool = graph.pools[edge >> 1];
      if (pool === undefined) return undefined;
      const swap = simulateSwap(pool, { zeroForOne: (edge & 1) === 0, amountIn: input });
      return swap.shortfall === undefined ? swap.amountOut : undefined;
    },
  });
  return search.eachTo(sink);
}
