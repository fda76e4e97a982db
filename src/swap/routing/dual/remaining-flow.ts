import { type BestWalks, findBestWalks, type Walk } from '../graph/best-walks.ts';
import { inputFor, outputFor } from '../graph/edge-curve.ts';
import { reuseFloats } from '../graph/reused-vectors.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt } from '../graph/vector-access.ts';
import type { DualPoint } from './dual-point.ts';

/** What is left of the trades of a dual point while walks carry them off. */
export type RemainingFlow = {
  /** What is left to carry on an edge, in value, so that edges of different tokens compare. */
  roomOn(edge: number): number;
  /** The walks over these edges, from the root or to it, that can carry most. */
  widest(edges: readonly number[], root: number, isBackward: boolean): BestWalks;
  /** Carries as much as a walk can; false where that is nothing. */
  carry(walk: Walk): boolean;
  /** The walks so far, each with what it takes of the source and gives of the sink. */
  readonly found: ReadonlyMap<string, CarriedWalk>;
};

export type CarriedWalk = { readonly walk: Walk; readonly share: number; readonly output: number };

/** Relative differences that rounding of the flow explains. */
export const tolerance = 1e-6;

const takenOf = reuseFloats();
const givenOf = reuseFloats();

/** Uses shared vectors, so only one may be in use at a time. */
export function createRemainingFlow(problem: RoutingProblem, point: DualPoint): RemainingFlow {
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
