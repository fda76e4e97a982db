import fc from 'fast-check';
import type { ExactInput } from '../../src/swap/pools/pool.ts';
import type { ConstantProductSettings } from './constant-product-pool.ts';
import { amountsOfBits, powersOfTwoTimes } from './random-amounts.ts';

/** Pools with reserves from one unit to the most that a pair can hold, and the fees of Uniswap and its forks. */
export const constantProductSettings: fc.Arbitrary<ConstantProductSettings> = fc
  .record({
    reserve0: amountsOfBits(112),
    reserve1: amountsOfBits(112),
    fee: fc.constantFrom<readonly [bigint, bigint]>(
      [997n, 1000n],
      [998n, 1000n],
      [995n, 1000n],
      [9975n, 10_000n],
      [9980n, 10_000n],
    ),
  })
  .map(({ fee: [feeNumerator, feeDenominator], ...reserves }) => ({
    ...reserves,
    feeNumerator,
    feeDenominator,
  }));

/** Offers from nothing at all to more than a pair can hold. */
export function offersToConstantProduct(pool: ConstantProductSettings): fc.Arbitrary<ExactInput> {
  return fc.boolean().chain((zeroForOne) =>
    fc.record({
      zeroForOne: fc.constant(zeroForOne),
      amountIn: fc.oneof(
        { weight: 2, arbitrary: fc.bigInt(0n, 2000n) },
        { weight: 2, arbitrary: amountsOfBits(113) },
        {
          weight: 6,
          arbitrary: powersOfTwoTimes(zeroForOne ? pool.reserve0 : pool.reserve1, [-20, 4]),
        },
      ),
    }),
  );
}
