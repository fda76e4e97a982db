import type { Address } from '../address.ts';
import { poolKindOf } from '../pools/pool-kinds.ts';
import { findBestWalks } from './graph/best-walks.ts';
import type { RoutingGraph } from './graph/routing-graph.ts';
import { at, intAt } from './graph/vector-access.ts';

const mostHops = 4;

/** The part of the deepest pool of a token below which a pool is dust. */
const dust = 1e-6;

/**
 * The mid price, in smallest units, of the route that is best for a vanishing amount [Q30]. It depends on the pools
 * alone, so that prices of all amounts can be held against it. As routes do, it passes an end token again where pools
 * disagree so much that this gains. A pool that is forgotten with next to nothing in it, at whatever price, counts only
 * where no route leads past it. Undefined where no route leads from one token to the other.
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

/** How much of its input a pool takes: what it would hold if its first segment had no end, or all that it can. */
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
