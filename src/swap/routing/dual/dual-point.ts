import { segmentAtRoot } from '../graph/edge-curve.ts';
import type { RoutingGraph } from '../graph/routing-graph.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt } from '../graph/vectors.ts';

/**
 * A point of the dual problem. Hand every pool to an arbitrageur who values token k at ν_k, with
 * ν = 1 for the sink: no routing can give more than
 *
 *     g(ν) = ν_source · A + Σ_pools arb(ν),
 *
 * because each swap of a routing earns at most what the arbitrageur would. g is convex; its least
 * value is what the best routing gives, and there the arbitrageurs' trades are that routing.
 */
export type DualPoint = {
  /** ν, by token. */
  readonly prices: Float64Array;
  /** The best trade of each edge at these prices. */
  readonly input: Float64Array;
  readonly output: Float64Array;
  /** How fast the traded value answers to a relative change of price, −d(ν_a·input)/d ln ν_a. */
  readonly stiffness: Float64Array;
  /** The amount plus what all trades leave over of each token: the gradient of g. */
  readonly excess: Float64Array;
  /** g(ν) */
  value: number;
};

const known = new WeakMap<RoutingGraph, readonly [DualPoint, DualPoint]>();

/**
 * Two points to step between, without trades. Searches over a graph run one after the other and reuse these two, since
 * allocating them takes longer than some of the steps [Q31]. A new search overwrites the results of the one before.
 */
export function dualPointsOf(graph: RoutingGraph): readonly [DualPoint, DualPoint] {
  const points = known.get(graph) ?? ([createDualPoint(graph), createDualPoint(graph)] as const);
  known.set(graph, points);
  for (const { input } of points) input.fill(0);
  return points;
}

function createDualPoint({ tokens, from }: RoutingGraph): DualPoint {
  return {
    prices: new Float64Array(tokens.length),
    input: new Float64Array(from.length),
    output: new Float64Array(from.length),
    stiffness: new Float64Array(from.length),
    excess: new Float64Array(tokens.length),
    value: 0,
  };
}

/**
 * Fills in everything that follows from the prices of the point.
 *
 * An edge from a to b trades until its rate γ·s² has fallen to ν_a/ν_b, that is down to the root
 * price s* = √(ν_a / (γ·ν_b)). With N and O the sums before the segment of s*, which begins at s:
 *
 *     input  = (N + L·(1/s* − 1/s)) / γ         output = O + L·(s − s*)
 *     arb    = ν_b · (O − s*²·N + L·(s − s*)²/s)
 *     stiffness = ν_b · L·s* / 2
 *
 * The last two are simplified by hand so that no large figures cancel.
 */
export function evaluateDualPoint(problem: RoutingProblem, point: DualPoint): void {
  const { graph, source, amount } = problem;
  const { prices, input, output, stiffness, excess } = point;
  for (const token of problem.tokens) excess[token] = 0;
  excess[source] = amount;
  let value = at(prices, source) * amount;
  for (const edge of problem.edges) {
    input[edge] = 0;
    output[edge] = 0;
    stiffness[edge] = 0;
    const from = intAt(graph.from, edge);
    const to = intAt(graph.to, edge);
    const priceIn = at(prices, from);
    const priceOut = at(prices, to);
    if (priceIn > at(graph.rate, edge) * priceOut * brink) continue;

    const keep = at(graph.keep, edge);
    const root = Math.sqrt(priceIn / (keep * priceOut));
    const trading = segmentAtRoot(graph, edge, root);
    const segment = trading < 0 ? intAt(graph.firstSegment, edge) : trading;
    const liquidity = at(graph.liquidity, segment);
    stiffness[edge] = (priceOut * liquidity * root) / 2;
    if (trading < 0) continue;

    const start = at(graph.start, segment);
    const fall = start - root;
    const before = at(graph.inputBefore, segment);
    const edgeInput = (before + (liquidity * fall) / (root * start)) / keep;
    const edgeOutput = at(graph.outputBefore, segment) + liquidity * fall;
    input[edge] = edgeInput;
    output[edge] = edgeOutput;
    excess[from] = at(excess, from) - edgeInput;
    excess[to] = at(excess, to) + edgeOutput;
    value +=
      priceOut *
      (at(graph.outputBefore, segment) - root * root * before + (liquidity * fall * fall) / start);
  }
  point.value = value;
}

/** An edge this near to trading counts as stiff already: spot prices put whole routes on the brink. */
const brink = 1 + 1e-10;
