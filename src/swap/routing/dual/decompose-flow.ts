import type { Walk } from '../graph/best-walks.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt } from '../graph/vector-access.ts';
import type { Plan } from '../plans/path-flow.ts';
import type { DualPoint } from './dual-point.ts';
import { createRemainingFlow, type RemainingFlow, tolerance } from './remaining-flow.ts';

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
  const { graph, source, sink } = problem;
  const remaining = createRemainingFlow(problem, point);
  const { found } = remaining;
  const trading = [...problem.edges].filter((edge) => at(point.input, edge) > 0);
  const sharable = trading.filter((edge) => intAt(graph.compounds, edge) === 0);
  const pairs = trading
    .filter((edge) => intAt(graph.compounds, edge) === 1)
    .sort((left, right) => remaining.roomOn(right) - remaining.roomOn(left))
    .slice(0, 2 * maxPaths);
  let waiting = pairs;
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    waiting = waiting.filter(
      (edge) => !remaining.carry(walkThrough(edge, { problem, remaining, sharable })),
    );
  }
  while (
    found.size < 2 * maxPaths &&
    remaining.carry(remaining.widest(trading, source, false).bestTo(sink)?.walk ?? [])
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

/** The widest walk through an edge over sharable edges, if it is as wide as the edge itself. */
function walkThrough(
  edge: number,
  options: {
    readonly problem: RoutingProblem;
    readonly remaining: RemainingFlow;
    readonly sharable: readonly number[];
  },
): Walk {
  const { problem, remaining, sharable } = options;
  const { graph, source, sink, maxHops } = problem;
  const { widest, roomOn } = remaining;
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
}
