import { sqrtRatioAtTick } from '../../math/sqrt-ratio-at-tick.ts';
import { MAX_TICK, MIN_TICK } from '../../math/tick-range.ts';
import { endOfCurve, type Segment, type TradingCurve } from '../trading-curve.ts';
import { feeOf, type InitializedTick, type TickState } from './concentrated-pool.ts';

/** A segment for each range between initialized ticks, up to where the known ticks end. */
export function concentratedCurve(pool: TickState, zeroForOne: boolean): TradingCurve {
  const keep = (1e6 - feeOf(pool, zeroForOne)) / 1e6;
  const segments: Segment[] = [];
  let sqrtPrice = pool.sqrtPriceX96;
  let liquidity = pool.liquidity;
  let inputBefore = 0;
  let outputBefore = 0;
  if (sqrtPrice <= 0n || keep <= 0) return { keep, segments: [endOfCurve], isTicked: true };

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
    if (liquidity < 0n) return { keep, segments: [endOfCurve], isTicked: true };
  }
  advanceTo(zeroForOne ? pool.lowestKnownTick : pool.highestKnownTick);
  beginSegment(0n);
  const isOpen = zeroForOne ? pool.lowestKnownTick > MIN_TICK : pool.highestKnownTick < MAX_TICK;
  return { keep, segments, isTicked: true, ...(isOpen && { isOpen }) };
}

/** The initialized ticks a swap would meet, nearest first. Going down, a pool at a tick crosses it. */
function ticksAhead(pool: TickState, zeroForOne: boolean): InitializedTick[] {
  return zeroForOne
    ? pool.ticks.filter((tick) => tick.index <= pool.tick).reverse()
    : pool.ticks.filter((tick) => tick.index > pool.tick);
}

const q96 = 2 ** 96;
