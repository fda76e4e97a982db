import type { Budget } from '../budget.ts';
import { refineGraph } from '../graph/routing-graph.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt } from '../graph/vector-access.ts';
import type { DualPoint } from './dual-point.ts';
import { solveDual } from './solve-dual.ts';
import { openEnds, upperBound } from './upper-bound.ts';

/** The problem in the form solved last, its best flow, and a bound on every routing over all edges. */
export type SolvedProblem = {
  readonly problem: RoutingProblem;
  readonly point: DualPoint;
  readonly bound: number;
  /** The edges that may give more than the bound counts, in ticks that were not read. */
  readonly openEnds: readonly number[];
};

/**
 * Solves the dual once if all curves are exact and every pool has two tokens. Tabulated curves are refined
 * around the flow that was found, and the dual is solved again [Q27]. Of the pairs of a pool with more than
 * two tokens only the one that trades most is kept, since a trade in one moves the others. The bound is
 * computed before that, over all pairs, so it holds whichever pair a routing chooses.
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
  const ends = openEnds(problem, point.prices);
  const edges = withoutRivals(problem, point);
  if (edges.length < problem.edges.length) {
    problem = { ...problem, edges };
    point = solveDual(problem, { ...options, prices: point.prices });
  }
  return { problem, point, bound, openEnds: ends };
}

/** The edges; of pools that share their liquidity, only those of the most useful pool. */
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

/** The value that the edge trades or, if it trades nothing, how near it is to trading, below zero. */
function useOf(graph: RoutingProblem['graph'], edge: number, { prices, input }: DualPoint): number {
  const priceIn = at(prices, intAt(graph.from, edge));
  const priceOut = at(prices, intAt(graph.to, edge));
  const traded = at(input, edge) * priceIn;
  return traded > 0 ? traded : Math.min(0, (at(graph.rate, edge) * priceOut) / priceIn - 1);
}
