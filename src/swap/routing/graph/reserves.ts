import type { RoutingGraph } from './routing-graph.ts';
import { at, intAt } from './vector-access.ts';

/** The reserve of the input token in a constant-product pair, from its one segment: L/s. */
export function reserveInOf(graph: RoutingGraph, edge: number): number {
  const segment = intAt(graph.firstSegment, edge);
  return at(graph.liquidity, segment) / at(graph.start, segment);
}

/** The reserve of the output token in a constant-product pair, from its one segment: L·s. */
export function reserveOutOf(graph: RoutingGraph, edge: number): number {
  const segment = intAt(graph.firstSegment, edge);
  return at(graph.liquidity, segment) * at(graph.start, segment);
}
