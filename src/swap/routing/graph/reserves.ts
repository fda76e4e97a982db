import type { RoutingGraph } from './routing-graph.ts';
import { at, intAt } from './vector-access.ts';

/** What a constant-product pair holds of the token that it takes, from its one segment: L/s. */
export function reserveInOf(graph: RoutingGraph, edge: number): number {
  const segment = intAt(graph.firstSegment, edge);
  return at(graph.liquidity, segment) / at(graph.start, segment);
}

/** What a constant-product pair holds of the token that it gives, from its one segment: L·s. */
export function reserveOutOf(graph: RoutingGraph, edge: number): number {
  const segment = intAt(graph.firstSegment, edge);
  return at(graph.liquidity, segment) * at(graph.start, segment);
}
