import type { RoutingGraph } from './routing-graph.ts';
import { at, intAt } from './vectors.ts';

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

/** What tokens are worth in the sink token, as pools say that can give much. */
type Worths = {
  /** The price of a small amount of each token along the walk whose shallowest pool is deepest. */
  readonly prices: Float64Array;
  /** All that an edge can give, at these prices. */
  readonly depths: Float64Array;
};

/**
 * Values each token along its deepest walk to the sink. An abandoned pool may have any price, but no depth, so it says nothing
 * where another pool does.
 */
function deepPrices(
  graph: RoutingGraph,
  { edges, sink }: { readonly edges: Int32Array; readonly sink: number },
): Worths {
  const prices = new Float64Array(graph.tokens.length);
  const widths = new Float64Array(graph.tokens.length);
  const depths = new Float64Array(graph.from.length);
  prices[sink] = 1;
  widths[sink] = Number.POSITIVE_INFINITY;
  // Every pass settles the tokens one hop further from the sink.
  for (let pass = 0; pass < graph.tokens.length; pass++) {
    let isSettled = true;
    for (const edge of edges) {
      const [from, to] = [intAt(graph.from, edge), intAt(graph.to, edge)];
      const depth =
        at(graph.outputBefore, intAt(graph.firstSegment, edge + 1) - 1) * at(prices, to);
      depths[edge] = depth;
      const width = Math.min(depth, at(widths, to));
      if (from === sink || !(width > at(widths, from))) continue;
      widths[from] = width;
      prices[from] = at(graph.rate, edge) * at(prices, to);
      isSettled = false;
    }
    if (isSettled) break;
  }
  return { prices, depths };
}

/** A pool that cannot give this part of the trade says nothing of its price. */
const shallow = 0.01;

/**
 * What a small amount of each token yields in the sink token along its best walk, fees included, over pools that matter for an
 * amount. If no closed walk gains, no such pool has an arbitrage at these prices, so the spot rate bounds any output.
 * That makes them the natural start of the descent. Tokens that only shallow pools touch have their deep price.
 */
function spotPrices(
  graph: RoutingGraph,
  options: {
    readonly edges: Int32Array;
    readonly source: number;
    readonly sink: number;
    readonly amount: number;
    readonly maxHops: number;
    readonly worths: Worths;
  },
): Float64Array {
  const { edges, source, sink, amount, maxHops, worths } = options;
  const least = shallow * amount * at(worths.prices, source);
  let prices = new Float64Array(graph.tokens.length);
  prices[sink] = 1;
  for (let hop = 0; hop < maxHops; hop++) {
    const better = prices.slice();
    for (const edge of edges) {
      const token = intAt(graph.from, edge);
      const price = at(graph.rate, edge) * at(prices, intAt(graph.to, edge));
      if (price > at(better, token) && token !== sink && at(worths.depths, edge) >= least) {
        better[token] = price;
      }
    }
    prices = better;
  }
  return prices.map((price, token) => price || at(worths.prices, token));
}
