import type { RoutingGraph } from './routing-graph.ts';
import { spotPrices } from './spot-prices.ts';
import { at, intAt } from './vector-access.ts';

/** One question to a graph: how much of the sink for this amount of the source. */
export type RoutingProblem = {
  readonly graph: RoutingGraph;
  readonly source: number;
  readonly sink: number;
  readonly amount: number;
  readonly maxHops: number;
  /** The edges that can matter, and the tokens they touch. */
  readonly edges: Int32Array;
  readonly tokens: Int32Array;
  /** What a vanishing amount of each token is worth, as `spotPrices` finds it. */
  readonly spot: Float64Array;
};

/** The part of a graph that can matter between two tokens, whatever the amount. */
type Relevant = Pick<RoutingProblem, 'edges' | 'tokens' | 'spot'>;

/** By graph, then by source, sink and hop limit. A graph never changes, so each is found once [Q31]. */
const known = new WeakMap<RoutingGraph, Map<string, Relevant>>();

/**
 * Leaves out what no route can use: edges that lie on no walk of at most `maxHops` from source to
 * sink, and tokens that only one pool touches, since going in and out through the same pool loses.
 */
export function poseProblem(
  graph: RoutingGraph,
  question: Pick<RoutingProblem, 'source' | 'sink' | 'amount' | 'maxHops'>,
): RoutingProblem {
  const { source, sink, maxHops } = question;
  const ofGraph = known.get(graph) ?? new Map<string, Relevant>();
  known.set(graph, ofGraph);
  const ends = `${source} ${sink} ${maxHops}`;
  const relevant = ofGraph.get(ends) ?? findRelevant(graph, question);
  ofGraph.set(ends, relevant);
  return { ...question, graph, ...relevant };
}

function findRelevant(
  graph: RoutingGraph,
  { source, sink, maxHops }: Pick<RoutingProblem, 'source' | 'sink' | 'maxHops'>,
): Relevant {
  const { from, to } = graph;
  const fromSource = distances(graph, { root: source, maxHops, near: from, far: to });
  const toSink = distances(graph, { root: sink, maxHops, near: to, far: from });
  let edges = Int32Array.from(from.keys()).filter(
    (edge) =>
      at(graph.rate, edge) > 0 &&
      intAt(fromSource, intAt(from, edge)) + 1 + intAt(toSink, intAt(to, edge)) <= maxHops,
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
  const spot = spotPrices(graph, { edges, sink, maxHops });
  return { edges, tokens: Int32Array.from(tokens), spot };
}

/** Hops from the root to each token along edges that trade; far more than `maxHops` where none. */
function distances(
  graph: RoutingGraph,
  search: { root: number; maxHops: number; near: Int32Array; far: Int32Array },
): Int32Array {
  const { root, maxHops, near, far } = search;
  const hops = new Int32Array(graph.tokens.length).fill(unreached);
  hops[root] = 0;
  for (let hop = 1; hop <= maxHops; hop++) {
    for (let edge = 0; edge < near.length; edge++) {
      if (
        intAt(hops, intAt(near, edge)) === hop - 1 &&
        intAt(hops, intAt(far, edge)) > hop &&
        at(graph.rate, edge) > 0
      ) {
        hops[intAt(far, edge)] = hop;
      }
    }
  }
  return hops;
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

/** Large enough to exceed any hop limit, small enough to be added to itself. */
const unreached = 1 << 20;
const noPool = -1;
const severalPools = -2;
