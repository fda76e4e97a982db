import { createBoundedMap } from '../../../kernel/bounded-map.ts';
import { swapLimits } from '../../limits.ts';
import type { PoolState } from '../../pools/pool-state.ts';
import { prepareGraph, type RoutingGraph } from '../../routing/graph/routing-graph.ts';

/** Graphs that were prepared for a search, and figures that follow from a graph alone. */
export type RoutingMemory = {
  /** The graph of these very states: prepared once, however many searches ask for it [Q31]. */
  graphOf(states: readonly PoolState[]): RoutingGraph;
  /** The same for some states of a list of pools: which they are is found when it is first asked for under this name. */
  graphWithin(
    pools: readonly object[],
    name: string,
    statesOf: () => readonly PoolState[],
  ): RoutingGraph;
  /** A figure of a graph: computed when it is first asked for under this name. */
  figureOf(graph: RoutingGraph, name: string, compute: () => number): number;
};

/**
 * Makes a memory for the markets of one chain. States are values that the pool cache hands out again while a block is the
 * newest, so that a graph is known by their identity and order: another block, or a pool read further, gives another graph.
 */
export function createRoutingMemory(): RoutingMemory {
  let graphs = createBoundedMap<string, RoutingGraph>(swapLimits.graphsKept.value);
  let newestBlock = 0n;
  const figures = new WeakMap<RoutingGraph, Map<string, number>>();
  const graphsWithin = new WeakMap<readonly object[], Map<string, RoutingGraph>>();
  const numbers = new WeakMap<PoolState, number>();
  let states = 0;

  function numberOf(state: PoolState): number {
    const known = numbers.get(state);
    if (known !== undefined) return known;
    numbers.set(state, ++states);
    return states;
  }

  function graphOf(pools: readonly PoolState[]): RoutingGraph {
    // Graphs of earlier blocks would hold their states, and are hardly asked for again.
    const block = pools.reduce((latest, { blockNumber }) => maxOf(latest, blockNumber), 0n);
    if (block > newestBlock) {
      graphs = createBoundedMap(swapLimits.graphsKept.value);
      newestBlock = block;
    }
    const key = pools.map(numberOf).join();
    const graph = graphs.get(key) ?? prepareGraph(pools);
    graphs.set(key, graph);
    return graph;
  }

  return {
    graphOf,
    graphWithin(pools, name, statesOf) {
      const known = graphsWithin.get(pools) ?? new Map<string, RoutingGraph>();
      graphsWithin.set(pools, known);
      const graph = known.get(name) ?? graphOf(statesOf());
      known.set(name, graph);
      return graph;
    },
    figureOf(graph, name, compute) {
      const known = figures.get(graph) ?? new Map<string, number>();
      figures.set(graph, known);
      const figure = known.get(name) ?? compute();
      known.set(name, figure);
      return figure;
    },
  };
}

function maxOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
