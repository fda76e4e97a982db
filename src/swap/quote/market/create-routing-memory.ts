import type { Clock } from '../../../kernel/wait/clock.ts';
import { createBoundedMap } from '../../../kernel/wait/remembered.ts';
import { swapLimits } from '../../limits.ts';
import type { PoolId, PoolState } from '../../pools/pool.ts';
import {
  curvesOf,
  type PoolCurves,
  prepareGraph,
  type RoutingGraph,
} from '../../routing/graph/routing-graph.ts';

/** Curves and graphs that were prepared for a search, and figures that follow from a graph alone. */
export type RoutingMemory = {
  /** Prepares the curves of these states, a few milliseconds at a time, so that other requests do not wait [Q31]. */
  learn(states: readonly PoolState[], clock: Clock): Promise<void>;
  /** The graph of these very states: prepared once, however many searches ask for it [Q31]. */
  graphOf(states: readonly PoolState[]): RoutingGraph;
  /** The graph of some states of a list of pools, which `statesOf` selects at the first call with this name. */
  graphWithin(
    pools: readonly object[],
    name: string,
    statesOf: () => readonly PoolState[],
  ): RoutingGraph;
  /** A figure of a graph: computed when it is first asked for under this name. */
  figureOf(graph: RoutingGraph, name: string, compute: () => number): number;
};

/** For how many milliseconds the preparation may block the event loop. */
const longestTurn = 4;

/**
 * Creates a memory for the markets of one chain. While a block is the newest, the pool cache returns the same state objects.
 * So their identity and order identify a graph: another block, or a pool that was read further, gives another graph.
 */
export function createRoutingMemory(): RoutingMemory {
  const curves = createBoundedMap<PoolId, { state: PoolState; curves: PoolCurves }>(
    swapLimits.poolsKept.value,
  );
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

  /** Most pools do not change from block to block: their curves are those of the block before. */
  function curvesFor(state: PoolState): PoolCurves {
    const known = curves.get(state.id);
    if (known !== undefined && isUnchanged(known.state, state)) return known.curves;
    const made = { state, curves: curvesOf(state) };
    curves.set(state.id, made);
    return made.curves;
  }

  function graphOf(pools: readonly PoolState[]): RoutingGraph {
    // Graphs of earlier blocks would keep their states in memory, and are rarely asked for again.
    const block = pools.reduce((latest, { blockNumber }) => maxOf(latest, blockNumber), 0n);
    if (block > newestBlock) {
      graphs = createBoundedMap(swapLimits.graphsKept.value);
      newestBlock = block;
    }
    const key = pools.map(numberOf).join();
    const graph = graphs.get(key) ?? prepareGraph(pools, curvesFor);
    graphs.set(key, graph);
    return graph;
  }

  return {
    async learn(states, clock) {
      let since = clock.elapsed();
      for (const state of states) {
        curvesFor(state);
        if (clock.elapsed() - since < longestTurn) continue;
        await clock.turn();
        since = clock.elapsed();
      }
    },
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

/** Whether a state says the same as another, which may be of an earlier block. What is no figure is compared by identity. */
function isUnchanged(before: PoolState, after: PoolState): boolean {
  if (before === after) return true;
  const facts = Object.entries({ ...after, blockNumber: before.blockNumber });
  return (
    facts.length === Object.keys(before).length &&
    facts.every(([name, fact]) => before[name as keyof PoolState] === fact)
  );
}

function maxOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
