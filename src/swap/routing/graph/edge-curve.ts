import type { RoutingGraph, SegmentTable } from './routing-graph.ts';
import { at, intAt } from './vectors.ts';

/**
 * The segment in which the edge's root price has fallen to s: the last one that begins above s. −1 if
 * s is not below the start of the first, so that nothing trades.
 */
export function segmentAtRoot(table: SegmentTable, edge: number, s: number): number {
  let low = intAt(table.firstSegment, edge);
  let high = intAt(table.firstSegment, edge + 1);
  if (!(at(table.start, low) > s)) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(table.start, middle) > s) low = middle;
    else high = middle;
  }
  return low;
}

/** The segment that the edge is in after it has taken this input, fee included. */
export function segmentAfter(graph: RoutingGraph, edge: number, input: number): number {
  return lastNotAbove(graph, { edge, sums: graph.inputBefore, sum: input * at(graph.keep, edge) });
}

/** An input of an edge, and the segment that the edge is in after it. */
type Place = { readonly edge: number; readonly segment: number; readonly input: number };

/** What the edge gives for this input in one swap: with d = (γ·input − N)/L, O + L·s²·d/(1 + s·d). */
export function outputFor(graph: RoutingGraph, edge: number, input: number): number {
  return outputIn(graph, { edge, segment: segmentAfter(graph, edge, input), input });
}

/** The same where the segment is known. */
export function outputIn(graph: RoutingGraph, { edge, segment, input }: Place): number {
  const liquidity = at(graph.liquidity, segment);
  if (liquidity === 0) return at(graph.outputBefore, segment);
  const s = at(graph.start, segment);
  const d = (input * at(graph.keep, edge) - at(graph.inputBefore, segment)) / liquidity;
  return at(graph.outputBefore, segment) + (liquidity * s * s * d) / (1 + s * d);
}

/** Output for the next small unit of input after this much: γ·s². Zero where the edge ends. */
export function rateAfter(graph: RoutingGraph, edge: number, input: number): number {
  return rateIn(graph, { edge, segment: segmentAfter(graph, edge, input), input });
}

/** The same where the segment is known. */
export function rateIn(graph: RoutingGraph, { edge, segment, input }: Place): number {
  const liquidity = at(graph.liquidity, segment);
  if (liquidity === 0) return 0;
  const start = at(graph.start, segment);
  const keep = at(graph.keep, edge);
  const s = start / (1 + (start * (input * keep - at(graph.inputBefore, segment))) / liquidity);
  return keep * s * s;
}

/** The input that gives this output: the inverse of `outputFor`. */
export function inputFor(graph: RoutingGraph, edge: number, output: number): number {
  const segment = lastNotAbove(graph, { edge, sums: graph.outputBefore, sum: output });
  const liquidity = at(graph.liquidity, segment);
  const keep = at(graph.keep, edge);
  if (liquidity === 0) return at(graph.inputBefore, segment) / keep;
  const s = at(graph.start, segment);
  const fall = (output - at(graph.outputBefore, segment)) / liquidity;
  return (at(graph.inputBefore, segment) + (liquidity * fall) / (s * (s - fall))) / keep;
}

/** The last segment of the edge whose sum up to it is at most the given one. */
function lastNotAbove(
  graph: RoutingGraph,
  { edge, sums, sum }: { edge: number; sums: Float64Array; sum: number },
): number {
  let low = intAt(graph.firstSegment, edge);
  let high = intAt(graph.firstSegment, edge + 1);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(sums, middle) <= sum) low = middle;
    else high = middle;
  }
  return low;
}

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
