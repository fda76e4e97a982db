import { sqrtRatioAtTick } from '../../math/sqrt-ratio-at-tick.ts';
import type { ConcentratedState, ConstantProductState, PoolState } from '../../pools/pool-state.ts';

/**
 * What a pool gives in one direction, in float64: a chain of segments of constant liquidity.
 *
 * Let s be the square root of the pool's price, in units of output per unit of input, before fees.
 * Input pushes s down. Within a segment of liquidity L, moving from s to s' takes L·(1/s' − 1/s) of
 * input that trades and gives L·(s − s') of output. Both directions of both pool kinds have this
 * form: a constant-product pair is one segment with L = √(x·y) and s = √(y/x).
 */
export type TradingCurve = {
  /** The part of the input that trades, γ; the rest is the fee. */
  readonly keep: number;
  /**
   * In falling order of s, beginning where there is liquidity. Segments without liquidity are gaps;
   * the last one is the end of the pool, or of what is known of it, and reaches down to s = 0.
   */
  readonly segments: readonly Segment[];
};

type Segment = {
  /** s where the segment begins. */
  readonly start: number;
  readonly liquidity: number;
  /** What the segments before this one take of trading input, and what they give. */
  readonly inputBefore: number;
  readonly outputBefore: number;
};

/**
 * The curve of one direction of a pool. A pool that cannot trade has one segment, the end.
 *
 * Each figure is computed from the pool's integers with at most eight roundings, and each step
 * along the chain adds one to the sums: with u = 2⁻⁵³ the relative error of segment k is at most
 * (k + 8)·u. The proof of the upper bound rests on this.
 */
export function tradingCurve(pool: PoolState, zeroForOne: boolean): TradingCurve {
  return pool.kind === 'constant-product'
    ? constantProductCurve(pool, zeroForOne)
    : concentratedCurve(pool, zeroForOne);
}

function constantProductCurve(pool: ConstantProductState, zeroForOne: boolean): TradingCurve {
  const reserveIn = Number(zeroForOne ? pool.reserve0 : pool.reserve1);
  const reserveOut = Number(zeroForOne ? pool.reserve1 : pool.reserve0);
  const keep = Number(pool.feeNumerator) / Number(pool.feeDenominator);
  const room = (maxReserve - reserveIn) * keep;
  if (!(reserveIn > 0 && reserveOut > 0 && room > 0)) return { keep, segments: [end] };
  const liquidity = Math.sqrt(reserveIn * reserveOut);
  const whole: Segment = {
    start: Math.sqrt(reserveOut / reserveIn),
    liquidity,
    inputBefore: 0,
    outputBefore: 0,
  };
  const full: Segment = {
    start: liquidity / (reserveIn + room),
    liquidity: 0,
    inputBefore: room,
    outputBefore: reserveOut * (room / (reserveIn + room)),
  };
  return { keep, segments: [whole, full] };
}

function concentratedCurve(pool: ConcentratedState, zeroForOne: boolean): TradingCurve {
  const keep = (1e6 - pool.fee) / 1e6;
  const segments: Segment[] = [];
  let sqrtPrice = pool.sqrtPriceX96;
  let liquidity = pool.liquidity;
  let inputBefore = 0;
  let outputBefore = 0;
  if (sqrtPrice <= 0n || keep <= 0) return { keep, segments: [end] };

  const beginSegment = (inIt: bigint) => {
    const start = zeroForOne ? Number(sqrtPrice) / q96 : q96 / Number(sqrtPrice);
    segments.push({ start, liquidity: Number(inIt), inputBefore, outputBefore });
  };
  const advanceTo = (tick: number) => {
    const target = sqrtRatioAtTick(tick);
    const distance = zeroForOne ? sqrtPrice - target : target - sqrtPrice;
    if (distance <= 0n) return;
    if (liquidity > 0n || segments.length > 0) beginSegment(liquidity);
    // The distance is exact: a difference of two rounded prices would lose the digits that count.
    const amount1 = Number(liquidity) * (Number(distance) / q96);
    const amount0 = (amount1 / Number(sqrtPrice)) * q96 * (q96 / Number(target));
    inputBefore += zeroForOne ? amount0 : amount1;
    outputBefore += zeroForOne ? amount1 : amount0;
    sqrtPrice = target;
  };

  for (const tick of ticksAhead(pool, zeroForOne)) {
    advanceTo(tick.index);
    liquidity += zeroForOne ? -tick.liquidityNet : tick.liquidityNet;
    if (liquidity < 0n) return { keep, segments: [end] };
  }
  advanceTo(zeroForOne ? pool.lowestKnownTick : pool.highestKnownTick);
  beginSegment(0n);
  return { keep, segments };
}

/** The initialized ticks a swap would meet, nearest first. Going down, a pool at a tick crosses it. */
function ticksAhead(pool: ConcentratedState, zeroForOne: boolean) {
  return zeroForOne
    ? pool.ticks.filter((tick) => tick.index <= pool.tick).reverse()
    : pool.ticks.filter((tick) => tick.index > pool.tick);
}

const q96 = 2 ** 96;
/** A pair counts its reserves in `uint112`. */
const maxReserve = 2 ** 112 - 1;
const end: Segment = { start: 0, liquidity: 0, inputBefore: 0, outputBefore: 0 };
