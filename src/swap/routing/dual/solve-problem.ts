import type { Budget } from '../budget.ts';
import { refineGraph } from '../graph/routing-graph.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt } from '../graph/vector-access.ts';
import type { DualPoint } from './dual-point.ts';
import { solveDual } from './solve-dual.ts';
import { upperBound } from './upper-bound.ts';

/** The problem as it was solved last, the best flow in it, and what no routing over all edges exceeds. */
type SolvedProblem = {
  readonly problem: RoutingProblem;
  readonly point: DualPoint;
  readonly bound: number;
};

/**
 * Solves the dual once where all curves are exact and every pool has two tokens. Tabulated curves are
 * looked at again around the flow that was found, and solved again [Q27]. Of the pairs of one pool of more
 * than two tokens only that which trades most is kept, since a trade in one moves the others; the bound is
 * taken before, over all of them, and so holds for whichever pair a routing chooses.
 */
export function solveProblem(
  whole: RoutingProblem,
  options: { readonly prices: Float64Array; readonly budget: Budget },
): SolvedProblem {
  let problem = whole;
  let point = solveDual(problem, options);
  const graph = refineGraph(problem.graph, point.input);
  if (graph !== problem.graph) {
    problem = { ...problem, graph };
    point = solveDual(problem, { ...options, prices: point.prices });
  }
  const bound = upperBound(problem, point.prices);
  const edges = withoutRivals(problem, point);
  if (edges.length < problem.edges.length) {
    problem = { ...problem, edges };
    point = solveDual(problem, { ...options, prices: point.prices });
  }
  return { problem, point, bound };
}

/** The edges without those of pools that share their liquidity with one that is of more use. */
function withoutRivals({ graph, edges }: RoutingProblem, point: DualPoint): Int32Array {
  const best = new Map<number, { pool: number; use: number }>();
  for (const edge of edges) {
    const pool = edge >> 1;
    const group = intAt(graph.groups, pool);
    if (group < 0) continue;
    const use = useOf(graph, edge, point);
    const known = best.get(group);
    if (known === undefined || use > known.use) best.set(group, { pool, use });
  }
  if (best.size === 0) return edges;
  return edges.filter((edge) => {
    const group = intAt(graph.groups, edge >> 1);
    return group < 0 || best.get(group)?.pool === edge >> 1;
  });
}

/** What the edge trades, in value; of those that trade nothing, how near they are to trading, below zero. */
function useOf(graph: RoutingProblem['graph'], edge: number, { prices, input }: DualPoint): number {
  const priceIn = at(prices, intAt(graph.from, edge));
  const priceOut = at(prices, intAt(graph.to, edge));
  const traded = at(input, edge) * priceIn;
  return traded > 0 ? traded : Math.min(0, (at(graph.rate, edge) * priceOut) / priceIn - 1);
}
