import { describe, expect, it } from 'vitest';
import { outputFor } from './find-amount-in.ts';
import { feeOf } from './integrator-fee.ts';
import { minAmountOut } from './min-amount-out.ts';

describe('outputFor', () => {
  it('leaves the amount after fee and slippage, and hardly more [Q29]', () => {
    const slippages = [
      { numerator: 0n, denominator: 1n },
      { numerator: 5n, denominator: 1_000n },
      { numerator: 999n, denominator: 1_000n },
    ];
    for (const maxSlippage of slippages) {
      for (const fee of [0n, 1n, 2_500_000n, 999_999_999n]) {
        for (const amountOut of [1n, 7n, 10n ** 6n + 1n, 10n ** 24n]) {
          const gross = outputFor(amountOut, { fee, maxSlippage });
          const worst = minAmountOut(gross, maxSlippage);
          expect(worst - feeOf(worst, fee)).toBeGreaterThanOrEqual(amountOut - 1n);
          expect(gross - feeOf(gross, fee)).toBeGreaterThanOrEqual(amountOut);
          const less = minAmountOut(gross - gross / 100n - 3n, maxSlippage);
          expect(less - feeOf(less, fee)).toBeLessThanOrEqual(amountOut);
        }
      }
    }
  });
});
