import type { RoutingGraph } from './routing-graph.ts';
import { deepPrices, spotPrices, type Worths } from './spot-prices.ts';
import { at, intAt } from './vector-access.ts';

/** One question to a graph: how much of the sink for this amount of the source. */
export type RoutingProblem = {
  readonly graph: RoutingGraph;
  readonly source: number;
  readonly sink: number;
  readonly amount: number;
  /** Of a walk. The bound knows no limit. */
  readonly maxHops: number;
  /** The edges that can matter, and the tokens they touch. */
  readonly edges: Int32Array;
  readonly tokens: Int32Array;
  /** What a small amount of each token is worth, as `spotPrices` finds it; zero where nothing leads to the sink. */
  readonly spot: Float64Array;
};

/** The part of a graph that can matter between two tokens, whatever the amount. */
type Relevant = Pick<RoutingProblem, 'edges' | 'tokens'> & { readonly worths: Worths };

/** By graph, then by source and sink. A graph never changes, so each is found once [Q31]. */
const known = new WeakMap<RoutingGraph, Map<string, Relevant>>();

/**
 * Leaves out only what no flow from source to sink can use, however many hops it takes: edges that the source does not reach
 * or that do not lead to the sink, and tokens that only one pool touches, since going in and out through the same pool
 * loses. All other pools count in the bound [Q48].
 */
export function poseProblem(
  graph: RoutingGraph,
  question: Pick<RoutingProblem, 'source' | 'sink' | 'amount' | 'maxHops'>,
): RoutingProblem {
  const { source, sink } = question;
  const ofGraph = known.get(graph) ?? new Map<string, Relevant>();
  known.set(graph, ofGraph);
  const ends = `${source} ${sink}`;
  const { worths, ...relevant } = ofGraph.get(ends) ?? findRelevant(graph, question);
  ofGraph.set(ends, { worths, ...relevant });
  const spot = spotPrices(graph, { ...question, ...relevant, worths });
  return { ...question, graph, ...relevant, spot };
}

function findRelevant(
  graph: RoutingGraph,
  { source, sink }: Pick<RoutingProblem, 'source' | 'sink'>,
): Relevant {
  const { from, to } = graph;
  const isFromSource = reached(graph, { root: source, near: from, far: to });
  const isToSink = reached(graph, { root: sink, near: to, far: from });
  let edges = Int32Array.from(from.keys()).filter(
    (edge) =>
      at(graph.rate, edge) > 0 &&
      isFromSource[intAt(from, edge)] === 1 &&
      isToSink[intAt(to, edge)] === 1,
  );
  for (;;) {
    const isDeadEnd = deadEnds(graph, edges);
    isDeadEnd[source] = 0;
    isDeadEnd[sink] = 0;
    const alive = edges.filter(
      (edge) => !(isDeadEnd[intAt(from, edge)] || isDeadEnd[intAt(to, edge)]),
    );
    if (alive.length === edges.length) break;
    edges = alive;
  }
  const tokens = new Set([source, sink]);
  for (const edge of edges) tokens.add(intAt(from, edge)).add(intAt(to, edge));
  return { edges, tokens: Int32Array.from(tokens), worths: deepPrices(graph, { edges, sink }) };
}

/** Marks the tokens that edges which trade connect with the root. */
function reached(
  graph: RoutingGraph,
  { root, near, far }: { root: number; near: Int32Array; far: Int32Array },
): Uint8Array {
  const isReached = new Uint8Array(graph.tokens.length);
  isReached[root] = 1;
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (let edge = 0; edge < near.length; edge++) {
      const isNew = isReached[intAt(near, edge)] === 1 && isReached[intAt(far, edge)] === 0;
      if (!isNew || !(at(graph.rate, edge) > 0)) continue;
      isReached[intAt(far, edge)] = 1;
      isSettled = false;
    }
  }
  return isReached;
}

/** Marks the tokens that the edges reach through at most one pool. */
function deadEnds(graph: RoutingGraph, edges: Int32Array): Uint8Array {
  const onlyPool = new Int32Array(graph.tokens.length).fill(noPool);
  for (const edge of edges) {
    for (const token of [intAt(graph.from, edge), intAt(graph.to, edge)]) {
      const known = intAt(onlyPool, token);
      onlyPool[token] = known === noPool || known === edge >> 1 ? edge >> 1 : severalPools;
    }
  }
  return Uint8Array.from(onlyPool, (pool) => (pool === severalPools ? 0 : 1));
}

const noPool = -1;
const severalPools = -2;
