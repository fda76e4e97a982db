import type { Budget } from '../budget.ts';
import { segmentAtRoot } from '../graph/edge-curve.ts';
import { refineGraph, type SegmentTable } from '../graph/routing-graph.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt } from '../graph/vectors.ts';
import type { DualPoint } from './dual-point.ts';
import { solveDual } from './solve-dual.ts';

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

/**
 * A number that no routing over the edges of the problem can exceed, whatever the prices: g(ν) of
 * `DualPoint`, rounded outwards [Q19]. The pools end where their known ticks end; `openEnds` says which of them
 * would give more beyond.
 *
 * Contracts round against the trader, and several swaps in a pool never give more than one of the
 * same total, so the bound over real numbers holds for what the chain does in integers.
 *
 * Rounding, with u = 2⁻⁵³: the sums N and O of segment k carry a relative error of (k + 8)·u (see
 * `tradingCurve`), s and s* of a few u. So O − s*²·N errs by less than (k + 16)·u·(O + s*²·N), and
 * the fall s − s* by less than 16·u·s. Both are made larger by twice that. If s* lies so near to
 * the border of a segment that rounding picks the wrong one, the sum misses a fall of 16·u·s in the
 * neighbour: that square is added too. All of this is some 10⁻¹⁵ of the *traded* amounts, not of
 * the pools' sizes: the certificate stays sharp for small trades in deep pools.
 */
export function upperBound(problem: RoutingProblem, prices: Float64Array): number {
  const { graph } = problem;
  let bound = at(prices, problem.source) * problem.amount;
  for (const edge of problem.edges) {
    const priceOut = at(prices, intAt(graph.to, edge));
    const root = Math.sqrt(at(prices, intAt(graph.from, edge)) / (at(graph.keep, edge) * priceOut));
    bound += priceOut * arbitrageAbove(graph.bounds, edge, root);
  }
  return bound * (1 + 2 * (problem.edges.length + 16) * u);
}

/**
 * The edges that an arbitrageur at these prices trades to the end of what was read of them: only there can ticks that were
 * not read add to the bound [Q48]. Of tokens without a price nothing is known.
 */
function openEnds({ graph }: RoutingProblem, prices: Float64Array): number[] {
  const ends: number[] = [];
  for (let edge = 0; edge < graph.from.length; edge++) {
    if (intAt(graph.open, edge) === 0) continue;
    const priceIn = at(prices, intAt(graph.from, edge));
    const priceOut = at(prices, intAt(graph.to, edge));
    const end = at(graph.start, intAt(graph.firstSegment, edge + 1) - 1) * (1 + 32 * u);
    if (priceIn > 0 && priceIn < at(graph.keep, edge) * priceOut * end * end) ends.push(edge);
  }
  return ends;
}

/** An upper bound on the arbitrage of an edge down to the root price, in units of its output. */
function arbitrageAbove(table: SegmentTable, edge: number, root: number): number {
  const first = intAt(table.firstSegment, edge);
  if (root > at(table.start, first) * (1 + 32 * u)) return 0;
  const segment = Math.max(first, segmentAtRoot(table, edge, root));
  const start = at(table.start, segment);
  const given = at(table.outputBefore, segment);
  const paid = root * root * at(table.inputBefore, segment);
  const fall = Math.max(0, start - root) + 32 * u * start;
  const last = intAt(table.firstSegment, edge + 1) - 1;
  const nearby =
    at(table.liquidity, Math.max(first, segment - 1)) +
    at(table.liquidity, Math.min(last, segment + 1));
  return (
    Math.max(0, given - paid) +
    2 * (segment - first + 16) * u * (given + paid) +
    (at(table.liquidity, segment) * fall * fall) / start +
    nearby * (32 * u) ** 2 * start
  );
}

/** Half the distance from 1 to the next float: the largest relative error of one rounding. */
const u = 2 ** -53;
