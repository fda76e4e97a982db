/**
 * What a pool gives in one direction, in float64: a chain of segments of constant liquidity.
 *
 * Let s be the square root of the pool's price, in units of output per unit of input, before fees.
 * Input pushes s down. Within a segment of liquidity L, moving from s to s' takes L·(1/s' − 1/s) of
 * input that trades and gives L·(s − s') of output. A constant-product pair is one segment with
 * L = √(x·y) and s = √(y/x), a concentrated pool one for each range between ticks, and any other
 * concave curve is tabulated so (`tabulateCurve`).
 *
 * The upper bound of a route rests on two promises. The contract gives no more than the curve says, for
 * every input. And with u = 2⁻⁵³ each figure of segment k has a relative error of at most (k + 8)·u,
 * as if it came from integers by eight roundings and one more for each step along the chain.
 */
export type TradingCurve = {
  /** The part of the input that trades, γ; the rest is the fee. */
  readonly keep: number;
  /**
   * In falling order of s, beginning where there is liquidity. Segments without liquidity are gaps;
   * the last one is the end of the pool, or of what is known of it, and reaches down to s = 0.
   */
  readonly segments: readonly Segment[];
  /** Set where the fee stays in the reserves and moves the price: one segment, `x · y = k`. */
  readonly compounds?: true;
  /** Set where segments end at initialized ticks, which cost gas to cross. */
  readonly isTicked?: true;
};

export type Segment = {
  /** s where the segment begins. */
  readonly start: number;
  readonly liquidity: number;
  /** What the segments before this one take of trading input, and what they give. */
  readonly inputBefore: number;
  readonly outputBefore: number;
};

/** The one segment of a pool that cannot trade. */
export const endOfCurve: Segment = { start: 0, liquidity: 0, inputBefore: 0, outputBefore: 0 };
