import { describe, expect, it } from 'vitest';
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from './ticks.ts';

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

it('knows the lowest and the highest price a pool can have [Q13]', () => {
  expect(tickAtSqrtRatio(MIN_SQRT_RATIO)).toBe(MIN_TICK);
  expect(tickAtSqrtRatio(MAX_SQRT_RATIO - 1n)).toBe(MAX_TICK - 1);
});

it('changes exactly at the ratio of a tick, over the whole range [Q13]', () => {
  for (let tick = MIN_TICK + 1; tick < MAX_TICK; tick += 997) {
    const sqrtRatio = sqrtRatioAtTick(tick);
    expect(tickAtSqrtRatio(sqrtRatio - 1n)).toBe(tick - 1);
    expect(tickAtSqrtRatio(sqrtRatio)).toBe(tick);
    expect(tickAtSqrtRatio((sqrtRatio + sqrtRatioAtTick(tick + 1)) / 2n)).toBe(tick);
  }
});

it('agrees with the exact comparison on both sides of the limit up to which a logarithm suffices [Q13]', () => {
  for (let tick = MIN_TICK + 1; tick < MAX_TICK; tick += 9973) {
    const sqrtRatio = sqrtRatioAtTick(tick);
    for (const partOfTick of [20_000n, 10_001n, 10_000n, 9_999n, 5_000n]) {
      const offset = (sqrtRatioAtTick(tick + 1) - sqrtRatio) / partOfTick;
      expect(tickAtSqrtRatio(sqrtRatio + offset)).toBe(tick);
      expect(tickAtSqrtRatio(sqrtRatio - offset - 1n)).toBe(tick - 1);
    }
  }
});
