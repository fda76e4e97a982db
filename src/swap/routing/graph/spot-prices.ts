import type { RoutingGraph } from './routing-graph.ts';
import { at, intAt } from './vector-access.ts';

/**
 * What an infinitely small amount of each token yields in the sink token along its best walk, fees
 * included. If no closed walk gains, no pool has an arbitrage at these prices, so the spot rate
 * bounds any output. That makes them the natural start of the descent.
 */
export function spotPrices(
  graph: RoutingGraph,
  {
    edges,
    sink,
    maxHops,
  }: { readonly edges: Int32Array; readonly sink: number; readonly maxHops: number },
): Float64Array {
  let prices = new Float64Array(graph.tokens.length);
  prices[sink] = 1;
  for (let hop = 0; hop < maxHops; hop++) {
    const better = prices.slice();
    for (const edge of edges) {
      const token = intAt(graph.from, edge);
      const price = at(graph.rate, edge) * at(prices, intAt(graph.to, edge));
      if (token !== sink && price > at(better, token)) better[token] = price;
    }
    prices = better;
  }
  return prices;
}
