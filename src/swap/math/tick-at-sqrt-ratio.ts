import { sqrtRatioAtTick } from './sqrt-ratio-at-tick.ts';

/**
 * The greatest tick whose `sqrtRatioAtTick` is at most the given ratio: `TickMath.getTickAtSqrtRatio`.
 * Does not check that the ratio lies between `MIN_SQRT_RATIO` and `MAX_SQRT_RATIO`.
 *
 * A float64 logarithm places the ratio to within 10⁻⁹ of a tick, and rounding in `sqrtRatioAtTick`
 * moves a tick by at most 5·10⁻⁶ (at the lowest price, where one unit is 2⁻³² of the ratio). Only
 * a ratio that lies nearer to a tick than `doubt` needs the exact comparison.
 */
export function tickAtSqrtRatio(sqrtRatioX96: bigint): number {
  const position = Math.log(Number(sqrtRatioX96) / 2 ** 96) / logOfSqrtRatioPerTick;
  const nearest = Math.round(position);
  if (Math.abs(position - nearest) > doubt) return Math.floor(position);
  return sqrtRatioAtTick(nearest) <= sqrtRatioX96 ? nearest : nearest - 1;
}

const logOfSqrtRatioPerTick = Math.log1p(0.0001) / 2;
const doubt = 1e-4;
