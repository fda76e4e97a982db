import type { Walk } from '../graph/best-walks.ts';
import { reserveInOf, reserveOutOf } from '../graph/reserves.ts';
import type { RoutingGraph } from '../graph/routing-graph.ts';
import { at, intAt } from '../graph/vector-access.ts';
import type { HopRecords } from './hop-records.ts';

/** A run of a plan as it was recorded. */
type RecordedRun = {
  readonly walks: readonly Walk[];
  readonly hops: HopRecords;
  /** How many of the records the run has written. */
  readonly count: number;
};

/** The derivative of the output by what each edge has taken and given. The caller sets it to zero before a sweep. */
type StateGradient = {
  readonly byTaken: Float64Array;
  readonly byGiven: Float64Array;
};

/**
 * Gives a function that puts d(output)/d(share) of each walk into `gradient`. It is one sweep backwards
 * over the recorded hops, which carries the derivative of the total by each amount and by each pool's
 * state (reverse-mode differentiation).
 */
export function createGradientSweep(graph: RoutingGraph, { byTaken, byGiven }: StateGradient) {
  /** From d(total)/d(output of a hop) to d(total)/d(its input), and on to the pool's state. */
  const hopBack = (hops: HopRecords, edge: number, hop: number, byOutput: number): number => {
    const input = at(hops.input, hop);
    const before = at(hops.takenBefore, hop);
    const byStateTaken = at(byTaken, edge);
    if (intAt(graph.compounds, edge) === 0) {
      const rate = at(hops.rateAfter, hop);
      // Only an earlier hop through the same pool needs the derivative by the pool's state.
      if (before > 0) byTaken[edge] = byStateTaken + byOutput * (rate - at(hops.rateBefore, hop));
      return byOutput * rate + byStateTaken;
    }
    const keep = at(graph.keep, edge);
    const reserveIn = reserveInOf(graph, edge) + before;
    const reserveOut = reserveOutOf(graph, edge) - at(hops.givenBefore, hop);
    const after = reserveIn + keep * input;
    const byBoth = byOutput + at(byGiven, edge);
    byTaken[edge] = byStateTaken - (byBoth * reserveOut * keep * input) / (after * after);
    byGiven[edge] = at(byGiven, edge) - (byBoth * keep * input) / after;
    return (byBoth * reserveOut * keep * reserveIn) / (after * after) + byStateTaken;
  };

  return ({ walks, hops, count }: RecordedRun, gradient: Float64Array): void => {
    let hop = count;
    for (let index = walks.length - 1; index >= 0; index--) {
      const walk = walks[index] ?? [];
      let byAmount = 1;
      for (let step = walk.length - 1; step >= 0; step--) {
        hop--;
        byAmount = hopBack(hops, walk[step] ?? -1, hop, byAmount);
      }
      gradient[index] = byAmount;
    }
  };
}
