import type { BestWalks, Walk } from '../graph/best-walks.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt } from '../graph/vector-access.ts';
import type { Plan } from '../plans/path-flow.ts';
import type { DualPoint } from './dual-point.ts';
import { createRemainingFlow, type RemainingFlow, tolerance } from './remaining-flow.ts';

/**
 * Decomposes the trades of a dual point into at most `maxPaths` walks from source to sink. The shares hold in
 * this order: where walks share a pool, the first finds it cheapest. Flow that no walk within the hop limit can
 * carry (closed loops, long detours) is left out, so the shares may sum to less than the amount.
 *
 * Constant-product pairs come first, each whole in one walk if concentrated pools can carry its flow to and from
 * it. The fee that a pair keeps makes its second swap dearer (up to 0.16 basis points of a whole trade were
 * seen). A concentrated pool can be shared at no cost.
 */
export function decomposeFlow(problem: RoutingProblem, point: DualPoint, maxPaths: number): Plan {
  const { graph, source, sink } = problem;
  const remaining = createRemainingFlow(problem, point);
  const { found } = remaining;
  const trading: number[] = [];
  for (const edge of problem.edges) if (at(point.input, edge) > 0) trading.push(edge);
  const sharable = trading.filter((edge) => intAt(graph.compounds, edge) === 0);
  const findWays = (): Ways => ({
    upstream: remaining.widest(sharable, source, false),
    downstream: remaining.widest(sharable, sink, true),
  });
  let waiting = trading
    .filter((edge) => intAt(graph.compounds, edge) === 1)
    .sort((left, right) => remaining.roomOn(right) - remaining.roomOn(left))
    .slice(0, 8 * maxPaths);
  let ways: Ways | undefined;
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    waiting = waiting.filter((edge) => {
      ways ??= findWays();
      const isCarried = remaining.carry(walkThrough(edge, { problem, remaining, ways }));
      if (isCarried) ways = undefined;
      return !isCarried;
    });
  }
  while (
    found.size < 8 * maxPaths &&
    remaining.carry(remaining.widest(trading, source, false).bestTo(sink)?.walk ?? [])
  );

  // A small part of the input may give much of the output, where the rest meets pools that are nearly exhausted.
  const kept = [...found.values()].toSorted((left, right) => right.output - left.output);
  const least = kept[maxPaths - 1]?.output ?? 0;
  const walks = [...found.values()].filter(({ output }) => output >= least);
  return {
    walks: walks.map(({ walk }) => walk),
    shares: Float64Array.from(walks, ({ share }) => share),
  };
}

/** The widest walks over sharable edges from the source and to the sink; they hold until something is carried. */
type Ways = { readonly upstream: BestWalks; readonly downstream: BestWalks };

/** The widest walk through an edge over sharable edges, if it is as wide as the edge itself. */
function walkThrough(
  edge: number,
  options: {
    readonly problem: RoutingProblem;
    readonly remaining: RemainingFlow;
    readonly ways: Ways;
  },
): Walk {
  const { graph, maxHops } = options.problem;
  const { upstream, downstream } = options.ways;
  const from = intAt(graph.from, edge);
  const to = intAt(graph.to, edge);
  const wanted = options.remaining.roomOn(edge) * (1 - tolerance);
  for (let hops = 1; hops <= maxHops; hops++) {
    for (let before = 0; before < hops; before++) {
      const after = hops - 1 - before;
      const width = Math.min(upstream.valueAt(from, before), downstream.valueAt(to, after));
      if (width < wanted) continue;
      const walk = [...upstream.walkTo(from, before), edge, ...downstream.walkTo(to, after)];
      if (new Set(walk.map((passed) => passed >> 1)).size === walk.length) return walk;
    }
  }
  return [];
}
