import type { Address } from '../model.ts';
import { poolKindOf } from '../pools/pool-kinds.ts';
import { findBestWalks, mostHops } from './graph/best-walks.ts';
import type { RoutingGraph } from './graph/routing-graph.ts';
import { at, intAt } from './graph/vectors.ts';

/** A pool is dust if its depth is below this part of the depth of the token's deepest pool. */
const dust = 1e-6;

/**
 * The mid price, in smallest units, of the route that is best for a vanishing amount [Q30]. It depends on the pools
 * alone, so that prices of all amounts can be compared with it. Like a route, it may pass an end token again if pools
 * disagree so much that this gains. An abandoned pool with next to nothing in it may have any price, so it counts only
 * if there is no route without such pools. Undefined if no route leads from one token to the other.
 */
export function midPriceBetween(
  graph: RoutingGraph,
  { tokenIn, tokenOut }: { readonly tokenIn: Address; readonly tokenOut: Address },
): number | undefined {
  const root = graph.tokenNumbers.get(tokenIn);
  const sink = graph.tokenNumbers.get(tokenOut);
  if (root === undefined || sink === undefined) return undefined;
  const depths = Float64Array.from(graph.from, (_, edge) => depthOf(graph, edge));
  const deepest = new Float64Array(graph.tokens.length);
  for (const [edge, depth] of depths.entries()) {
    const token = intAt(graph.from, edge);
    deepest[token] = Math.max(at(deepest, token), depth);
  }
  const midPriceAbove = (part: number) => {
    const edges = Int32Array.from(depths.keys()).filter(
      (edge) => at(depths, edge) > part * at(deepest, intAt(graph.from, edge)),
    );
    const walks = findBestWalks({
      graph,
      edges,
      root,
      hops: mostHops,
      start: 1,
      step: (edge, price) => price * at(graph.rate, edge),
    });
    return walks.bestTo(sink)?.walk.reduce((price, edge) => price * midPriceOf(graph, edge), 1);
  };
  return midPriceAbove(dust) ?? midPriceAbove(0);
}

/**
 * How much input a pool can take: the reserve of its first segment, as if that had no end, or all that the pool takes
 * if that is less.
 */
function depthOf(graph: RoutingGraph, edge: number): number {
  if (at(graph.rate, edge) === 0) return 0;
  const first = intAt(graph.firstSegment, edge);
  const last = intAt(graph.firstSegment, edge + 1) - 1;
  const whole = at(graph.inputBefore, last) || Number.POSITIVE_INFINITY;
  return Math.min(at(graph.liquidity, first) / at(graph.start, first), whole);
}

function midPriceOf({ pools }: RoutingGraph, edge: number): number {
  const pool = pools[edge >> 1];
  return pool === undefined ? 0 : poolKindOf(pool).midPrice(pool, (edge & 1) === 0);
}
