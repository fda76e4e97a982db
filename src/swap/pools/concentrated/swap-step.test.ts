import { describe, expect, it } from 'vitest';
import { computeSwapStep } from './swap-step.ts';
import { MIN_SQRT_RATIO } from './ticks.ts';

const one = 1n << 96n;

describe('computeSwapStep', () => {
  // The first three are vectors of the contract's own test suite (Uniswap v3-core, SwapMath.spec.ts).
  it('stops at the target and takes the fee on top of what moves the price [Q13]', () => {
    const step = computeSwapStep({
      zeroForOne: false,
      sqrtPriceX96: one,
      targetX96: 79623317895830914510639640423n,
      liquidity: 2n * 10n ** 18n,
      amountRemaining: 10n ** 18n,
      fee: 600n,
    });
    expect(step).toEqual({
      sqrtPriceX96: 79623317895830914510639640423n,
      amountIn: 9975124224178055n + 5988667735148n,
      amountOut: 9925619580021728n,
    });
  });

  it('spends the whole input when the target is further away [Q13]', () => {
    const step = computeSwapStep({
      zeroForOne: false,
      sqrtPriceX96: one,
      targetX96: 250541448375047931186413801569n,
      liquidity: 2n * 10n ** 18n,
      amountRemaining: 10n ** 18n,
      fee: 600n,
    });
    expect(step.amountIn).toBe(10n ** 18n);
    expect(step.amountOut).toBe(666399946655997866n);
    expect(step.sqrtPriceX96).toBeLessThan(250541448375047931186413801569n);
  });

  it('takes an input smaller than its fee and leaves the price alone [Q13]', () => {
    const step = computeSwapStep({
      zeroForOne: false,
      sqrtPriceX96: 2413n,
      targetX96: 79887613182836312n,
      liquidity: 1985041575832132834610021537970n,
      amountRemaining: 10n,
      fee: 1872n,
    });
    expect(step).toEqual({ sqrtPriceX96: 2413n, amountIn: 10n, amountOut: 0n });
  });

  it('takes the coarser formula of the contract where the precise one leaves 256 bits [Q13]', () => {
    const liquidity = 2n ** 120n + 12345n;
    const sqrtPriceX96 = 2n ** 159n + 987654321n;
    const amountRemaining = 2n ** 140n;
    const step = computeSwapStep({
      zeroForOne: true,
      sqrtPriceX96,
      targetX96: MIN_SQRT_RATIO + 1n,
      liquidity,
      amountRemaining,
      fee: 0n,
    });
    const numerator = liquidity << 96n;
    const coarse = -(-numerator / (numerator / sqrtPriceX96 + amountRemaining)) + 1n;
    expect(step.sqrtPriceX96).toBe(coarse);
  });

  it('crosses a range without liquidity at no cost [Q13]', () => {
    const stretch = { sqrtPriceX96: one, liquidity: 0n, amountRemaining: 5n, fee: 3000n };
    for (const [zeroForOne, targetX96] of [
      [true, one / 2n],
      [false, one * 2n],
    ] as const) {
      const step = computeSwapStep({ ...stretch, zeroForOne, targetX96 });
      expect(step).toEqual({ sqrtPriceX96: targetX96, amountIn: 0n, amountOut: 0n });
    }
  });

  it.each([true, false])(
    'does not move the price where the fee is the whole input, at its target or not [Q13] (%s)',
    (zeroForOne) => {
      const step = { zeroForOne, sqrtPriceX96: one, liquidity: 10n ** 18n, fee: 1_000_000n };
      const amountRemaining = 5_000n;
      const apart = zeroForOne ? one / 2n : one * 2n;

      const there = computeSwapStep({ ...step, targetX96: one, amountRemaining });
      const onTheWay = computeSwapStep({ ...step, targetX96: apart, amountRemaining });

      expect(there).toEqual({ sqrtPriceX96: one, amountIn: 0n, amountOut: 0n });
      expect(onTheWay).toEqual({ sqrtPriceX96: one, amountIn: amountRemaining, amountOut: 0n });
    },
  );
});
