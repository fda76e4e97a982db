import type { Walk } from '../graph/best-walks.ts';
import { outputFor, outputIn, rateIn, segmentAfter } from '../graph/edge-curve.ts';
import { reserveInOf, reserveOutOf } from '../graph/reserves.ts';
import type { RoutingGraph } from '../graph/routing-graph.ts';
import { at, intAt } from '../graph/vector-access.ts';
import { createGradientSweep } from './gradient-sweep.ts';
import { createHopRecords } from './hop-records.ts';

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
