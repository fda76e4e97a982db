import fc from 'fast-check';
import type { ExactInput } from '../../src/swap/pools/pool.ts';
import { amountsOfBits, powersOfTwoTimes, scaleAmount } from './random-amounts.ts';
import type { SolidlySettings } from './solidly-pair.ts';

/** The usual decimals of tokens, and odd ones. */
const decimals = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(6, 8, 18) },
  fc.integer({ min: 0, max: 24 }),
);

/** Reserves from less than one whole token to a trillion, one side up to a thousand times the other. */
export const solidlySettings: fc.Arbitrary<SolidlySettings> = fc
  .record({
    isStable: fc.boolean(),
    decimals0: decimals,
    decimals1: decimals,
    // 2⁻⁴ to 2⁴⁰ whole tokens.
    size: fc.integer({ min: -4, max: 40 }),
    skew: fc.integer({ min: -1000, max: 1000 }),
  })
  .map(({ size, skew, ...pair }) => ({
    ...pair,
    reserve0: atLeastThousand(scaleAmount(10n ** BigInt(pair.decimals0), 2 ** size)),
    reserve1: atLeastThousand(
      scaleAmount(10n ** BigInt(pair.decimals1), 2 ** size * 2 ** (skew / 100)),
    ),
  }));

/** A pair locks a thousand units of its own share forever, so it cannot start with less. */
function atLeastThousand(amount: bigint): bigint {
  return amount > 1001n ? amount : 1001n;
}

/** Offers from one unit to many times the reserves of the pair. */
export function offersToSolidly(pair: SolidlySettings): fc.Arbitrary<ExactInput> {
  return fc.boolean().chain((zeroForOne) =>
    fc.record({
      zeroForOne: fc.constant(zeroForOne),
      amountIn: fc.oneof(
        { weight: 2, arbitrary: fc.bigInt(1n, 5000n) },
        { weight: 1, arbitrary: amountsOfBits(113) },
        {
          weight: 8,
          arbitrary: powersOfTwoTimes(zeroForOne ? pair.reserve0 : pair.reserve1, [-20, 4]),
        },
      ),
    }),
  );
}
