import { type BestWalks, findBestWalks, type Walk } from '../graph/best-walks.ts';
import { inputFor, outputFor } from '../graph/edge-curve.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt, reuseFloats } from '../graph/vectors.ts';
import type { Plan } from '../plans/path-flow.ts';
import type { DualPoint } from './dual-point.ts';

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

/** What is left of the trades of a dual point while walks carry them off. */
type RemainingFlow = {
  /** What is left to carry on an edge, in value, so that edges of different tokens compare. */
  roomOn(edge: number): number;
  /** The walks over these edges, from the root or to it, that can carry most. */
  widest(edges: readonly number[], root: number, isBackward: boolean): BestWalks;
  /** Carries as much as a walk can; false where that is nothing. */
  carry(walk: Walk): boolean;
  /** The walks so far, each with what it takes of the source and gives of the sink. */
  readonly found: ReadonlyMap<string, CarriedWalk>;
};

type CarriedWalk = { readonly walk: Walk; readonly share: number; readonly output: number };

/** Relative differences that rounding of the flow explains. */
const tolerance = 1e-6;

const takenOf = reuseFloats();
const givenOf = reuseFloats();

/** Uses shared vectors, so only one may be in use at a time. */
function createRemainingFlow(problem: RoutingProblem, point: DualPoint): RemainingFlow {
  const { graph, maxHops } = problem;
  const taken = takenOf(graph.from.length);
  const given = givenOf(graph.from.length);
  const found = new Map<string, CarriedWalk>();

  const roomOn = (edge: number) =>
    (at(point.input, edge) - at(taken, edge)) * at(point.prices, intAt(graph.from, edge));

  const widest = (edges: readonly number[], root: number, isBackward: boolean) =>
    findBestWalks({
      graph,
      edges,
      root,
      isBackward,
      hops: maxHops,
      start: Number.POSITIVE_INFINITY,
      step: (edge, width) => {
        const isFull = at(taken, edge) > at(point.input, edge) * (1 - tolerance);
        return isFull ? 0 : Math.min(width, roomOn(edge));
      },
    });

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
    const { share, output: before } = found.get(key) ?? { share: 0, output: 0 };
    const taking = amount;
    for (const edge of walk) {
      const input = at(taken, edge) + amount;
      const output = outputFor(graph, edge, input);
      amount = output - at(given, edge);
      taken[edge] = input;
      given[edge] = output;
    }
    found.set(key, { walk, share: share + taking, output: before + amount });
    return true;
  };

  return { roomOn, widest, carry, found };
}
