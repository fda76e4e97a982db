import { describe, expect, it } from 'vitest';
import { sqrtRatioAtTick } from './sqrt-ratio-at-tick.ts';
import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK } from './tick-range.ts';

describe('sqrtRatioAtTick', () => {
  it('gives the constants of the contract at the outermost ticks and one at tick zero [Q13]', () => {
    expect(sqrtRatioAtTick(MIN_TICK)).toBe(MIN_SQRT_RATIO);
    expect(sqrtRatioAtTick(0)).toBe(1n << 96n);
    expect(sqrtRatioAtTick(MAX_TICK)).toBe(MAX_SQRT_RATIO);
  });

  // Vectors of the contract's own test suite (Uniswap v3-core, TickMath.spec.ts).
  it.each([
    [MIN_TICK + 1, 4295343490n],
    [MAX_TICK - 1, 1461373636630004318706518188784493106690254656249n],
  ])('gives at tick %i what the contract gives [Q13]', (tick, sqrtRatio) => {
    expect(sqrtRatioAtTick(tick)).toBe(sqrtRatio);
  });

  it('agrees with the real square root to twelve digits around tick zero', () => {
    for (let tick = -5000; tick <= 5000; tick += 7) {
      const real = 1.0001 ** (tick / 2);
      expect(Number(sqrtRatioAtTick(tick)) / 2 ** 96 / real).toBeCloseTo(1, 12);
    }
  });

  it('rises with every tick', () => {
    for (let tick = MIN_TICK; tick < MAX_TICK; tick += 991) {
      expect(sqrtRatioAtTick(tick + 1)).toBeGreaterThan(sqrtRatioAtTick(tick));
    }
  });
});
