import type { RoutingGraph } from './routing-graph.ts';
import { at, intAt, reuseFloats, reuseIntegers } from './vectors.ts';

/** A chain of edges: each begins at the token where the one before ends. */
export type Walk = readonly number[];

/** The most hops of a walk, where nobody asks for another limit: two base tokens, and a token beside each [Q50]. */
export const mostHops = 6;

/** The best walk from the root to each token, for each number of hops up to the limit. */
export type BestWalks = {
  /** Zero where no walk reaches the token in so many hops. */
  readonly valueAt: (token: number, hops: number) => number;
  /** The edges of that walk in the order of trade, also where it was searched backwards. */
  readonly walkTo: (token: number, hops: number) => Walk;
  /** The best walk to a token for each number of hops, from one up, in which it can be reached. */
  readonly eachTo: (token: number) => Walk[];
  /** The best over all numbers of hops from one up; of two equals the shorter. */
  readonly bestTo: (token: number) => { readonly value: number; readonly walk: Walk } | undefined;
};

const forward = { values: reuseFloats(), lastEdges: reuseIntegers() };
const backward = { values: reuseFloats(), lastEdges: reuseIntegers() };

/**
 * Carries a positive value from the root along edges and keeps the greatest that reaches each token in
 * each number of hops. `step` gives the value after an edge, or zero or less if the edge cannot be passed.
 * It must be monotone: a greater value before an edge must not give a smaller one after it. No walk takes
 * the same pool twice. A walk that is kept may therefore bar a pool to a better continuation: the result
 * is the best of the walks kept, not of all walks.
 *
 * The result is valid until the next search in the same direction.
 */
export function findBestWalks(search: {
  readonly graph: RoutingGraph;
  readonly edges: readonly number[] | Int32Array;
  readonly root: number;
  readonly hops: number;
  readonly isBackward?: boolean;
  readonly start: number;
  readonly step: (edge: number, value: number) => number;
}): BestWalks {
  const { graph, edges, root, hops, step } = search;
  const near = search.isBackward ? graph.to : graph.from;
  const far = search.isBackward ? graph.from : graph.to;
  const tokens = graph.tokens.length;
  // The place of a token after so many hops is hops · tokens + token.
  const room = search.isBackward ? backward : forward;
  const values = room.values((hops + 1) * tokens);
  const lastEdges = room.lastEdges((hops + 1) * tokens);
  values[root] = search.start;

  /** Edges back from a token to the root. */
  const trace = (token: number, length: number): number[] => {
    const walk: number[] = [];
    let here = token;
    for (let hop = length; hop > 0; hop--) {
      const edge = intAt(lastEdges, hop * tokens + here);
      walk.push(edge);
      here = intAt(near, edge);
    }
    return walk;
  };
  /** Whether the walk that is kept to a token takes the pool of an edge. */
  const passes = (token: number, length: number, edge: number): boolean => {
    let here = token;
    for (let hop = length; hop > 0; hop--) {
      const passed = intAt(lastEdges, hop * tokens + here);
      if (passed >> 1 === edge >> 1) return true;
      here = intAt(near, passed);
    }
    return false;
  };
  for (let hop = 1; hop <= hops; hop++) {
    const before = (hop - 1) * tokens;
    const after = hop * tokens;
    for (let index = 0; index < edges.length; index++) {
      const edge = edges[index] ?? -1;
      const start = intAt(near, edge);
      const value = at(values, before + start);
      if (value === 0) continue;
      const reached = step(edge, value);
      const place = after + intAt(far, edge);
      if (!(reached > at(values, place)) || passes(start, hop - 1, edge)) continue;
      values[place] = reached;
      lastEdges[place] = edge;
    }
  }
  const valueAt = (token: number, length: number) => at(values, length * tokens + token);
  const walkTo = (token: number, length: number): Walk => {
    const walk = trace(token, length);
    return search.isBackward ? walk : walk.reverse();
  };
  const bestTo = (token: number) => {
    let value = 0;
    let best = 0;
    for (let length = 1; length <= hops; length++) {
      if (valueAt(token, length) > value) {
        value = valueAt(token, length);
        best = length;
      }
    }
    return best === 0 ? undefined : { value, walk: walkTo(token, best) };
  };
  const eachTo = (token: number) => {
    const walks: Walk[] = [];
    for (let length = 1; length <= hops; length++) {
      if (valueAt(token, length) > 0) walks.push(walkTo(token, length));
    }
    return walks;
  };
  return { valueAt, walkTo, eachTo, bestTo };
}
