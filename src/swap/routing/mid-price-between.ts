import type { Address } from '../address.ts';
import { poolKindOf } from '../pools/pool-kinds.ts';
import { findBestWalks } from './graph/best-walks.ts';
import { outputFor } from './graph/edge-curve.ts';
import type { RoutingGraph } from './graph/routing-graph.ts';
import { at, intAt } from './graph/vector-access.ts';

const mostHops = 4;

/** The part of the deepest pool of the token given that moves no price worth telling, and is more than dust. */
const grain = 1e-6;

/**
 * The mid price, in smallest units, of the route that is best for a next to vanishing amount [Q30]. It depends on the
 * pools alone, so that prices of all amounts can be held against it. A pool that is forgotten with next to nothing in
 * it, at whatever price, does not count. Undefined where no route leads from one token to the other.
 */
export function midPriceBetween(
  graph: RoutingGraph,
  { tokenIn, tokenOut }: { readonly tokenIn: Address; readonly tokenOut: Address },
): number | undefined {
  const root = graph.tokenNumbers.get(tokenIn);
  const sink = graph.tokenNumbers.get(tokenOut);
  if (root === undefined || sink === undefined) return undefined;
  const edges = Int32Array.from(graph.from, (_, edge) => edge).filter(
    (edge) =>
      at(graph.rate, edge) > 0 &&
      intAt(graph.from, edge) !== sink &&
      intAt(graph.to, edge) !== root,
  );
  // Where nothing leaves the token there is no depth, and no walk either.
  const depths = [...edges]
    .filter((edge) => intAt(graph.from, edge) === root)
    .map((edge) => depthOf(graph, edge));
  const walks = findBestWalks({
    graph,
    edges,
    root,
    hops: mostHops,
    start: grain * Math.max(...depths),
    step: (edge, amount) => outputFor(graph, edge, amount) || undefined,
  });
  return walks.bestTo(sink)?.walk.reduce((price, edge) => price * midPriceOf(graph, edge), 1);
}

/** How much of its input a pool can tell from nothing: what it would hold if its first segment had no end, or all that it takes. */
function depthOf(graph: RoutingGraph, edge: number): number {
  const first = intAt(graph.firstSegment, edge);
  const last = intAt(graph.firstSegment, edge + 1) - 1;
  const whole = at(graph.inputBefore, last) || Number.POSITIVE_INFINITY;
  return Math.min(at(graph.liquidity, first) / at(graph.start, first), whole);
}

function midPriceOf({ pools }: RoutingGraph, edge: number): number {
  const pool = pools[edge >> 1];
  return pool === undefined ? 0 : poolKindOf(pool).midPrice(pool, (edge & 1) === 0);
}
