import type { Address } from '../../model.ts';
import type { PoolState } from '../../pools/pool.ts';
import { poolKindOf } from '../../pools/pool-kinds.ts';
import type { Segment, TradingCurve } from '../../pools/trading-curve.ts';
import { at } from './vectors.ts';

/**
 * A snapshot of pools made ready for search: tokens are numbered, and each pool is two directed
 * edges, 2i for token 0 to token 1 of pool i and 2i + 1 back. Everything numeric lies in typed
 * arrays, so that one pass over the pools of a chain is one pass over memory.
 */
export type RoutingGraph = SegmentTable & {
  readonly pools: readonly PoolState[];
  readonly tokens: readonly Address[];
  readonly tokenNumbers: ReadonlyMap<Address, number>;
  /** The curve of each edge. */
  readonly curves: readonly TradingCurve[];
  /** For each pool the number of its group, which holds the pairs of one pool with more tokens; −1 if it is in none. */
  readonly groups: Int32Array;
  /** Token numbers at both ends of an edge. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The part of the input that trades, γ. */
  readonly keep: Float64Array;
  /** Output per input of an infinitely small trade, fee counted: γ·s². Zero where nothing trades. */
  readonly rate: Float64Array;
  /** 1 where the fee stays in the reserves and moves the price, as in a constant-product pair. */
  readonly compounds: Int32Array;
  /** 1 where segments end at initialized ticks. */
  readonly ticked: Int32Array;
  /** 1 where the pool goes on beyond its last segment, in ticks that were not read. */
  readonly open: Int32Array;
  /** The curves that no trade exceeds: they differ from the graph's own only where a curve is tabulated. */
  readonly bounds: SegmentTable;
};

/** Curves one after the other. */
export type SegmentTable = {
  /** The segments of edge e are those from `firstSegment[e]` up to `firstSegment[e + 1]`. */
  readonly firstSegment: Int32Array;
  /** Root price at which a segment begins; see `TradingCurve` for it and the three below. */
  readonly start: Float64Array;
  readonly liquidity: Float64Array;
  readonly inputBefore: Float64Array;
  readonly outputBefore: Float64Array;
};

/** The curves of a pool in its two directions, from token 0 to token 1 first. */
export type PoolCurves = readonly [TradingCurve, TradingCurve];

export function curvesOf(pool: PoolState): PoolCurves {
  const kind = poolKindOf(pool);
  return [kind.curve(pool, { zeroForOne: true }), kind.curve(pool, { zeroForOne: false })];
}

/**
 * Numbers the tokens and lays out the curves of all pools; `curves` may take them from a cache. Costs more than a search,
 * so it is done once per snapshot. Does not check that pools are distinct or of one block.
 */
export function prepareGraph(
  pools: readonly PoolState[],
  curves: (pool: PoolState) => PoolCurves = curvesOf,
): RoutingGraph {
  const tokenNumbers = new Map<Address, number>();
  const numberOf = (token: Address) => {
    const known = tokenNumbers.get(token);
    if (known !== undefined) return known;
    tokenNumbers.set(token, tokenNumbers.size);
    return tokenNumbers.size - 1;
  };
  const ends = pools.flatMap(({ token0, token1 }) => {
    const [first, second] = [numberOf(token0), numberOf(token1)];
    return [
      { from: first, to: second },
      { from: second, to: first },
    ];
  });
  return {
    pools,
    tokens: [...tokenNumbers.keys()],
    tokenNumbers,
    groups: numberGroups(pools),
    from: Int32Array.from(ends, ({ from }) => from),
    to: Int32Array.from(ends, ({ to }) => to),
    ...layOutCurves(pools.flatMap(curves)),
  };
}

/** The graph with finer curves around the input of each edge; the same graph if no curve can be finer. */
export function refineGraph(graph: RoutingGraph, input: Float64Array): RoutingGraph {
  const isCoarse = (curve: TradingCurve, edge: number) => curve.isTabulated && at(input, edge) > 0;
  if (!graph.curves.some(isCoarse)) return graph;
  const curves = graph.curves.map((curve, edge) => {
    const pool = graph.pools[edge >> 1];
    if (pool === undefined || !isCoarse(curve, edge)) return curve;
    const around = at(input, edge) * curve.keep;
    return poolKindOf(pool).curve(pool, { zeroForOne: (edge & 1) === 0, around });
  });
  return { ...graph, ...layOutCurves(curves) };
}

function numberGroups(pools: readonly PoolState[]): Int32Array {
  const known = new Map<string, number>();
  return Int32Array.from(pools, ({ group }) => {
    if (group === undefined) return -1;
    const number = known.get(group) ?? known.size;
    known.set(group, number);
    return number;
  });
}

function layOutCurves(curves: readonly TradingCurve[]) {
  const own = layOutSegments(curves.map((curve) => curve.segments));
  const isBounded = curves.some((curve) => curve.bound !== undefined);
  return {
    curves,
    keep: Float64Array.from(curves, (curve) => curve.keep),
    rate: Float64Array.from(curves, ({ keep, segments: [first] }) =>
      first === undefined || first.liquidity === 0 ? 0 : keep * first.start ** 2,
    ),
    compounds: Int32Array.from(curves, (curve) => (curve.compounds ? 1 : 0)),
    ticked: Int32Array.from(curves, (curve) => (curve.isTicked ? 1 : 0)),
    open: Int32Array.from(curves, (curve) => (curve.isOpen ? 1 : 0)),
    bounds: isBounded ? layOutSegments(curves.map((curve) => curve.bound ?? curve.segments)) : own,
    ...own,
  };
}

/** In plain loops: a market may have tens of thousands of segments, and is laid out in one turn of the event loop [Q31]. */
function layOutSegments(chains: readonly (readonly Segment[])[]): SegmentTable {
  const firstSegment = new Int32Array(chains.length + 1);
  let count = 0;
  chains.forEach((chain, edge) => {
    count += chain.length;
    firstSegment[edge + 1] = count;
  });
  const start = new Float64Array(count);
  const liquidity = new Float64Array(count);
  const inputBefore = new Float64Array(count);
  const outputBefore = new Float64Array(count);
  let place = 0;
  for (const chain of chains) {
    for (const segment of chain) {
      start[place] = segment.start;
      liquidity[place] = segment.liquidity;
      inputBefore[place] = segment.inputBefore;
      outputBefore[place] = segment.outputBefore;
      place += 1;
    }
  }
  return { firstSegment, start, liquidity, inputBefore, outputBefore };
}
