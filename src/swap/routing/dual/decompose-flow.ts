import { findBestWalks, type Walk } from '../graph/best-walks.ts';
import { inputFor, outputFor } from '../graph/edge-curve.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt } from '../graph/vector-access.ts';
import type { Plan } from '../plans/path-flow.ts';
import type { DualPoint } from './dual-point.ts';

/**
 * Writes the trades of a dual point as walks from source to sink, at most `maxPaths`, in the order in
 * which the shares hold: where walks share a pool, the first finds it cheapest.
 * What no walk within the hop limit can carry (closed loops, long detours) is left out: the shares
 * may sum to less than the amount.
 *
 * Pairs come before other pools, each whole in one walk where concentrated pools can carry it to
 * and from there: the fee that a pair keeps makes its second swap dearer (up to 0.16 basis points of
 * a whole trade were seen), while a concentrated pool does not mind being shared.
 */
export function decomposeFlow(problem: RoutingProblem, point: DualPoint, maxPaths: number): Plan {
  const { graph, source, sink, maxHops } = problem;
  const taken = new Float64Array(graph.from.length);
  const given = new Float64Array(graph.from.length);
  const found = new Map<string, { walk: Walk; share: number }>();
  const trading = [...problem.edges].filter((edge) => at(point.input, edge) > 0);
  const sharable = trading.filter((edge) => intAt(graph.compounds, edge) === 0);

  /** What is left to carry on an edge, in value, so that edges of different tokens compare. */
  const roomOn = (edge: number) =>
    (at(point.input, edge) - at(taken, edge)) * at(point.prices, intAt(graph.from, edge));

  const widest = (edges: readonly number[], root: number, isBackward: boolean) =>
    findBestWalks<number>({
      graph,
      edges,
      root,
      isBackward,
      hops: maxHops,
      start: Number.POSITIVE_INFINITY,
      step: (edge, width) => {
        const isFull = at(taken, edge) > at(point.input, edge) * (1 - tolerance);
        return isFull ? undefined : Math.min(width, roomOn(edge));
      },
    });

  /** The widest walk through an edge over sharable edges, if it is as wide as the edge itself. */
  const walkThrough = (edge: number): Walk => {
    const upstream = widest(sharable, source, false);
    const downstream = widest(sharable, sink, true);
    const from = intAt(graph.from, edge);
    const to = intAt(graph.to, edge);
    const wanted = roomOn(edge) * (1 - tolerance);
    for (let hops = 1; hops <= maxHops; hops++) {
      for (let before = 0; before < hops; before++) {
        const after = hops - 1 - before;
        const width = Math.min(
          upstream.valueAt(from, before) ?? 0,
          downstream.valueAt(to, after) ?? 0,
        );
        if (width < wanted) continue;
        const walk = [...upstream.walkTo(from, before), edge, ...downstream.walkTo(to, after)];
        if (new Set(walk.map((passed) => passed >> 1)).size === walk.length) return walk;
      }
    }
    return [];
  };

  const carry = (walk: Walk): boolean => {
    let amount = Number.POSITIVE_INFINITY;
    for (const edge of walk.toReversed()) {
      const room = at(point.input, edge) - at(taken, edge);
      const needed =
        amount === Number.POSITIVE_INFINITY
          ? room
          : inputFor(graph, edge, at(given, edge) + amount) - at(taken, edge);
      amount = Math.min(room, needed);
    }
    if (!(amount > 0) || walk.length === 0) return false;
    const key = walk.join();
    found.set(key, { walk, share: (found.get(key)?.share ?? 0) + amount });
    for (const edge of walk) {
      const input = at(taken, edge) + amount;
      const output = outputFor(graph, edge, input);
      amount = output - at(given, edge);
      taken[edge] = input;
      given[edge] = output;
    }
    return true;
  };

  const pairs = trading
    .filter((edge) => intAt(graph.compounds, edge) === 1)
    .sort((left, right) => roomOn(right) - roomOn(left))
    .slice(0, 2 * maxPaths);
  let waiting = pairs;
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    waiting = waiting.filter((edge) => !carry(walkThrough(edge)));
  }
  while (
    found.size < 2 * maxPaths &&
    carry(widest(trading, source, false).bestTo(sink)?.walk ?? [])
  );

  const smallestKept = [...found.values()]
    .map(({ share }) => share)
    .sort((left, right) => right - left)
    .at(Math.min(maxPaths, found.size) - 1);
  const kept = [...found.values()].filter(({ share }) => share >= (smallestKept ?? 0));
  return {
    walks: kept.map(({ walk }) => walk),
    shares: Float64Array.from(kept, ({ share }) => share),
  };
}

/** Relative differences that rounding of the flow explains. */
const tolerance = 1e-6;
