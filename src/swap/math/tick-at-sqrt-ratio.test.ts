import { expect, it } from 'vitest';
import { sqrtRatioAtTick } from './sqrt-ratio-at-tick.ts';
import { tickAtSqrtRatio } from './tick-at-sqrt-ratio.ts';
import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK } from './tick-range.ts';

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
