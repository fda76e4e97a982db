import type { Create2Exchange, Pool, PoolState } from '../pool.ts';
import { endOfCurve, type Segment, type TradingCurve } from '../trading-curve.ts';
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from './ticks.ts';

export type ConcentratedExchange = Create2Exchange & {
  readonly kind: 'concentrated';
  /** Set where swaps call a farm that the exchange can give to a pool, as those of PancakeSwap V3 do. */
  readonly callsFarm?: true;
  readonly feeTiers: readonly FeeTier[];
};

/** `fee` is in hundredths of a basis point: 3000 is 0.3%. */
export type FeeTier = { readonly fee: number; readonly tickSpacing: number };

export type ConcentratedPool = Pool & {
  readonly kind: 'concentrated';
  /** From the exchange's fee tier; a state has the value of the pool itself. */
  readonly tickSpacing: number;
  /** As in its exchange. */
  readonly callsFarm?: true;
};

/** Uniswap V3 and its forks: liquidity that changes at initialized ticks. */
export type ConcentratedState = TickState & {
  readonly kind: 'concentrated';
  /** As in its exchange. */
  readonly callsFarm?: true;
};

/** The state of every kind with initialized ticks, for the arithmetic of Uniswap V3. */
export type TickState = PoolState & {
  /** Hundredths of a basis point: 3000 is 0.3%. */
  readonly fee: number;
  /** The fee when token 1 comes in, if that is another. */
  readonly feeOneForZero?: number;
  readonly tickSpacing: number;
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Initialized ticks in ascending order, all of those between the two bounds. */
  readonly ticks: readonly InitializedTick[];
  /**
   * The range of ticks that was read, in whole words of the tick bitmap: a swap looks at one word at
   * a time, and cannot go on where the next word was not read.
   */
  readonly lowestKnownTick: number;
  readonly highestKnownTick: number;
  /** Set where the pool goes from tick to tick without a stop at the borders of words. */
  readonly hasTickTree?: boolean;
};

/** What a swap in this direction pays, in hundredths of a basis point. */
export function feeOf({ fee, feeOneForZero = fee }: TickState, zeroForOne: boolean): number {
  return zeroForOne ? fee : feeOneForZero;
}

export type InitializedTick = {
  readonly index: number;
  readonly liquidityNet: bigint;
};

/** Units of token 1 for a unit of token 0, or the other way round, from the pool's root price. */
export function midPriceOf({ sqrtPriceX96 }: TickState, zeroForOne: boolean): number {
  const price = (Number(sqrtPriceX96) / 2 ** 96) ** 2;
  return zeroForOne ? price : 1 / price;
}

/** How many initialized ticks lie from one state of a pool to another. */
export function ticksBetween({ ticks, tick }: TickState, after: TickState): number {
  return Math.abs(countTicksUpTo(ticks, after.tick) - countTicksUpTo(ticks, tick));
}

/** How many of the ascending ticks have an index of at most `tick`. */
export function countTicksUpTo(ticks: readonly InitializedTick[], tick: number): number {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // The search stays inside the array.
    if ((ticks[middle] as InitializedTick).index <= tick) low = middle + 1;
    else high = middle;
  }
  return low;
}

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
