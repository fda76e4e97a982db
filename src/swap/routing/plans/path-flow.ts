import type { Walk } from '../graph/best-walks.ts';
import {
  outputFor,
  outputIn,
  rateIn,
  reserveInOf,
  reserveOutOf,
  segmentAfter,
} from '../graph/edge-curve.ts';
import type { RoutingGraph } from '../graph/routing-graph.ts';
import { at, intAt } from '../graph/vectors.ts';

/** Walks from source to sink in their order of execution, and what each is given of the source. */
export type Plan = {
  readonly walks: readonly Walk[];
  readonly shares: Float64Array;
};

/**
 * The float64 counterpart of settlement. It keeps its vectors between runs. Searches over a graph run one by one and share
 * it.
 */
export type PathFlow = {
  /** What the plan gives in all. Writes d(output)/d(share) into `gradient`, if there is one. */
  readonly run: (plan: Plan, gradient?: Float64Array) => number;
  /** What an edge would give for a further amount after the last run. */
  readonly swap: (edge: number, amount: number) => number;
  /** What each edge has taken and given in the last run. */
  readonly taken: Float64Array;
  readonly given: Float64Array;
};

const known = new WeakMap<RoutingGraph, PathFlow>();

/** The flow of a graph: created once, since its vectors take longer to allocate than some runs [Q31]. */
export function pathFlowOf(graph: RoutingGraph): PathFlow {
  const flow = known.get(graph) ?? createPathFlow(graph);
  known.set(graph, flow);
  return flow;
}

/**
 * Runs plans one walk after the other, each meeting the pools as the ones before left them. In a
 * concentrated pool the order does not matter: for c taken before, input x gives F(c + x) − F(c).
 * A constant-product pair keeps the fee in its reserves, so a second swap finds a worse price than
 * one larger swap would: with reserves X and Y, x gives Y·γx/(X + γx) and leaves X + x and the rest
 * of Y.
 */
export function createPathFlow(graph: RoutingGraph): PathFlow {
  const edges = graph.from.length;
  const taken = new Float64Array(edges);
  const given = new Float64Array(edges);
  const rates = new Float64Array(edges);
  const byTaken = new Float64Array(edges);
  const byGiven = new Float64Array(edges);
  const sweepBack = createGradientSweep(graph, { byTaken, byGiven });
  let lastWalks: readonly Walk[] = [];
  let hops = createHopRecords(64);

  const reset = (walks: readonly Walk[]): void => {
    for (const walk of lastWalks) {
      for (const edge of walk) {
        taken[edge] = 0;
        given[edge] = 0;
        rates[edge] = 0;
        byTaken[edge] = 0;
        byGiven[edge] = 0;
      }
    }
    lastWalks = walks;
    let count = 0;
    for (const walk of walks) count += walk.length;
    if (count > hops.input.length) hops = createHopRecords(2 * count);
  };

  const run = ({ walks, shares }: Plan, gradient?: Float64Array): number => {
    reset(walks);
    let hop = 0;
    let total = 0;
    for (let index = 0; index < walks.length; index++) {
      let amount = at(shares, index);
      for (const edge of walks[index] ?? []) amount = pass(edge, hop++, amount);
      total += amount;
    }
    if (gradient !== undefined) sweepBack({ walks, hops, count: hop }, gradient);
    return total;
  };

  /** Swaps in the pool's current state, and records what the backward sweep needs: one lookup in the curve serves both. */
  const pass = (edge: number, hop: number, amount: number): number => {
    const before = at(taken, edge);
    const givenBefore = at(given, edge);
    hops.input[hop] = amount;
    hops.takenBefore[hop] = before;
    hops.givenBefore[hop] = givenBefore;
    let output: number;
    if (intAt(graph.compounds, edge) === 0) {
      const segment = segmentAfter(graph, edge, before + amount);
      hops.rateBefore[hop] = at(rates, edge);
      rates[edge] = rateIn(graph, { edge, segment, input: before + amount });
      hops.rateAfter[hop] = at(rates, edge);
      output = outputIn(graph, { edge, segment, input: before + amount }) - givenBefore;
    } else {
      output = swap(edge, amount);
    }
    taken[edge] = before + amount;
    given[edge] = givenBefore + output;
    return output;
  };

  const swap = (edge: number, amount: number): number => {
    if (intAt(graph.compounds, edge) === 0) {
      return outputFor(graph, edge, at(taken, edge) + amount) - at(given, edge);
    }
    const reserveIn = reserveInOf(graph, edge) + at(taken, edge);
    const reserveOut = reserveOutOf(graph, edge) - at(given, edge);
    const trading = at(graph.keep, edge) * amount;
    return (reserveOut * trading) / (reserveIn + trading);
  };

  return { run, swap, taken, given };
}

/** What each hop of a run met in its pool and put into it, in the order of execution. */
type HopRecords = {
  readonly input: Float64Array;
  readonly takenBefore: Float64Array;
  readonly givenBefore: Float64Array;
  /** The rate at the margin of a concentrated pool, before and after the hop. */
  readonly rateBefore: Float64Array;
  readonly rateAfter: Float64Array;
};

function createHopRecords(length: number): HopRecords {
  return {
    input: new Float64Array(length),
    takenBefore: new Float64Array(length),
    givenBefore: new Float64Array(length),
    rateBefore: new Float64Array(length),
    rateAfter: new Float64Array(length),
  };
}

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
function createGradientSweep(graph: RoutingGraph, { byTaken, byGiven }: StateGradient) {
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
