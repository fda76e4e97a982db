import type { Address } from '../../address.ts';
import { poolKindOf } from '../../pools/pool-kinds.ts';
import type { PoolState } from '../../pools/pool-state.ts';

/**
 * A snapshot of pools made ready for search: tokens are numbered, and each pool is two directed
 * edges, 2i for token 0 to token 1 of pool i and 2i + 1 back. Everything numeric lies in typed
 * arrays, so that one pass over the pools of a chain is one pass over memory.
 */
export type RoutingGraph = {
  readonly pools: readonly PoolState[];
  readonly tokens: readonly Address[];
  readonly tokenNumbers: ReadonlyMap<Address, number>;
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
  /** The segments of edge e are those from `firstSegment[e]` up to `firstSegment[e + 1]`. */
  readonly firstSegment: Int32Array;
  /** Root price at which a segment begins; see `TradingCurve` for it and the three below. */
  readonly start: Float64Array;
  readonly liquidity: Float64Array;
  readonly inputBefore: Float64Array;
  readonly outputBefore: Float64Array;
};

/**
 * Numbers the tokens and lays out the curves of all pools. Costs more than a search, so it is done
 * once a snapshot. Does not check that pools are distinct or of one block.
 */
export function prepareGraph(pools: readonly PoolState[]): RoutingGraph {
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
  const curves = pools.flatMap((pool) => {
    const kind = poolKindOf(pool);
    return [kind.curve(pool, { zeroForOne: true }), kind.curve(pool, { zeroForOne: false })];
  });
  const segments = curves.flatMap((curve) => curve.segments);
  const firstSegment = new Int32Array(curves.length + 1);
  let count = 0;
  curves.forEach((curve, edge) => {
    count += curve.segments.length;
    firstSegment[edge + 1] = count;
  });
  return {
    pools,
    tokens: [...tokenNumbers.keys()],
    tokenNumbers,
    from: Int32Array.from(ends, ({ from }) => from),
    to: Int32Array.from(ends, ({ to }) => to),
    keep: Float64Array.from(curves, (curve) => curve.keep),
    rate: Float64Array.from(curves, ({ keep, segments: [first] }) =>
      first === undefined || first.liquidity === 0 ? 0 : keep * first.start ** 2,
    ),
    compounds: Int32Array.from(curves, (curve) => (curve.compounds ? 1 : 0)),
    ticked: Int32Array.from(curves, (curve) => (curve.isTicked ? 1 : 0)),
    firstSegment,
    start: Float64Array.from(segments, (segment) => segment.start),
    liquidity: Float64Array.from(segments, (segment) => segment.liquidity),
    inputBefore: Float64Array.from(segments, (segment) => segment.inputBefore),
    outputBefore: Float64Array.from(segments, (segment) => segment.outputBefore),
  };
}
