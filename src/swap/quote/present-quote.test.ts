import { expect, it } from 'vitest';
import { minAmountOut } from './present-quote.ts';

it.each([
  [1_000n, { numerator: 5n, denominator: 1_000n }, 995n],
  [999n, { numerator: 5n, denominator: 1_000n }, 994n],
  [1n, { numerator: 5n, denominator: 1_000n }, 0n],
  [10n ** 30n + 1n, { numerator: 0n, denominator: 1n }, 10n ** 30n + 1n],
  [7n, { numerator: 1n, denominator: 1n }, 0n],
])('takes the slippage off %s exactly and rounds down [Q5]', (expected, slippage, minimum) => {
  expect(minAmountOut(expected, slippage)).toBe(minimum);
});
