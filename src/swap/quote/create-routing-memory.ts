import { createBoundedMap } from '../../kernel/bounded-map.ts';
import { swapLimits } from '../limits.ts';
import type { PoolState } from '../pools/pool-state.ts';
import { prepareGraph, type RoutingGraph } from '../routing/graph/routing-graph.ts';

/** Graphs that were prepared for a search, and figures that follow from a graph alone. */
export type RoutingMemory = {
  /** The graph of these very states: prepared once, however many searches ask for it [Q31]. */
  graphOf(states: readonly PoolState[]): RoutingGraph;
  /** A figure of a graph: computed when it is first asked for under this name. */
  figureOf(graph: RoutingGraph, name: string, compute: () => number): number;
};

/**
 * Makes a memory for the markets of one chain. States are values that the pool cache hands out again while a block is the
 * newest, so that a graph is known by their identity: another block, or a pool read further, gives another graph.
 */
export function createRoutingMemory(): RoutingMemory {
  const graphs = createBoundedMap<string, RoutingGraph>(swapLimits.graphsKept.value);
  const figures = new WeakMap<RoutingGraph, Map<string, number>>();
  return {
    graphOf(states) {
      // The pools of two tokens begin with those that trade the two, and differ in number by what is narrowed.
      const key = `${states[0]?.id} ${states.at(-1)?.id} ${states.length}`;
      const known = graphs.get(key);
      if (known?.pools.every((state, index) => state === states[index])) return known;
      const graph = prepareGraph(states);
      graphs.set(key, graph);
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
