import {
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  sqrtRatioAtTick,
} from '../../src/swap/pools/concentrated/ticks.ts';
import type { ConcentratedSettings } from '../support/concentrated-pool.ts';

/** The bounds within which swaps may move the price. */
export type PriceLimits = { readonly lowest: bigint; readonly highest: bigint };

/** The limits that routers pass. */
export const widestLimits: PriceLimits = {
  lowest: MIN_SQRT_RATIO + 1n,
  highest: MAX_SQRT_RATIO - 1n,
};

/**
 * Beyond its outermost ticks a pool only walks through empty words. With a small tick spacing that takes
 * an EVM a second, so the limit is then the first price without liquidity.
 */
export function limitsOf({ tickSpacing, positions }: ConcentratedSettings): PriceLimits {
  if (tickSpacing >= 200) return widestLimits;
  const lowest = sqrtRatioAtTick(Math.min(...positions.map(({ tickLower }) => tickLower))) - 1n;
  const highest = sqrtRatioAtTick(Math.max(...positions.map(({ tickUpper }) => tickUpper))) + 1n;
  return {
    lowest: lowest > widestLimits.lowest ? lowest : widestLimits.lowest,
    highest: highest < widestLimits.highest ? highest : widestLimits.highest,
  };
}
