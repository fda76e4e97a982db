import { simulateSwap } from '../pools/simulate-swap.ts';
import { type BestWalks, findBestWalks, type Walk } from './best-walks.ts';
import { outputFor } from './edge-curve.ts';
import type { RoutingProblem } from './routing-problem.ts';
import { at, intAt } from './vector-access.ts';

/**
 * For each number of hops the walk that alone leaves most of the whole amount, in float64. Passing
 * an edge costs `costOf`, in value at the given prices.
 */
export function singleWalks(
  problem: RoutingProblem,
  { prices, costOf }: { prices: Float64Array; costOf: (edge: number) => number },
): Walk[] {
  const { graph, edges, source, maxHops, amount } = problem;
  const search = findBestWalks<number>({
    graph,
    edges,
    root: source,
    hops: maxHops,
    start: amount,
    step: (edge, input) => {
      const end = intAt(graph.firstSegment, edge + 1) - 1;
      const fits = input * at(graph.keep, edge) <= at(graph.inputBefore, end);
      if (!fits) return undefined;
      const left = outputFor(graph, edge, input) - costOf(edge) / at(prices, intAt(graph.to, edge));
      return left > 0 ? left : undefined;
    },
  });
  return walksToSink(problem, search);
}

/**
 * The same in the integers of the contracts: where whole units decide, float64 cannot tell which
 * walk is best.
 */
export function exactSingleWalks(problem: RoutingProblem, amountIn: bigint): Walk[] {
  const { graph, edges, source, maxHops } = problem;
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
  return walksToSink(problem, search);
}

function walksToSink<Value>({ sink, maxHops }: RoutingProblem, search: BestWalks<Value>): Walk[] {
  const walks: Walk[] = [];
  for (let hops = 1; hops <= maxHops; hops++) {
    if (search.valueAt(sink, hops) !== undefined) walks.push(search.walkTo(sink, hops));
  }
  return walks;
}
