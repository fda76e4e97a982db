import type { RoutingGraph } from './routing-graph.ts';
import { at, intAt } from './vector-access.ts';

/** What tokens are worth in the sink token, as pools say that can give much. */
export type Worths = {
  /** The price of a small amount of each token along the walk whose shallowest pool is deepest. */
  readonly prices: Float64Array;
  /** All that an edge can give, at these prices. */
  readonly depths: Float64Array;
};

/**
 * Values each token along its deepest walk to the sink. An abandoned pool may have any price, but no depth, so it says nothing
 * where another pool does.
 */
export function deepPrices(
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
export function spotPrices(
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
