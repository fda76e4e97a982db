import { simulateSwap } from '../../pools/simulate-swap.ts';
import { findBestWalks, type Walk } from '../graph/best-walks.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';

/**
 * For each number of hops the single walk that gives the most for the whole amount, simulated in the
 * contracts' integers: where single units decide, the curves cannot tell which walk is best. Amounts of so
 * few units are exact in float64.
 */
export function exactSingleWalks(problem: RoutingProblem, amountIn: bigint): Walk[] {
  const { graph, edges, source, sink, maxHops } = problem;
  const search = findBestWalks({
    graph,
    edges,
    root: source,
    hops: maxHops,
    start: Number(amountIn),
    step: (edge, input) => {
      const pool = graph.pools[edge >> 1];
      if (pool === undefined) return 0;
      const swap = simulateSwap(pool, { zeroForOne: (edge & 1) === 0, amountIn: BigInt(input) });
      return swap.shortfall === undefined ? Number(swap.amountOut) : 0;
    },
  });
  return search.eachTo(sink);
}
