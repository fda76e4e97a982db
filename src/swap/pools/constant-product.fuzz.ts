import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constantProductPool } from '../../../tests/support/constant-product-pool.ts';
import { propertyRuns } from '../../../tests/support/property-runs.ts';
import {
  constantProductSettings,
  offersToConstantProduct,
} from '../../../tests/support/random-constant-product-pool.ts';
import { type ConstantProductState, simulateConstantProduct } from './constant-product.ts';

const swaps = constantProductSettings.chain((settings) =>
  fc.record({
    pool: fc.constant(constantProductPool(settings)),
    offer: offersToConstantProduct(settings),
    other: offersToConstantProduct(settings),
  }),
);
const maxReserve = 2n ** 112n - 1n;
const fits = (pool: ConstantProductState, amountIn: bigint) =>
  pool.reserve0 + amountIn <= maxReserve && pool.reserve1 + amountIn <= maxReserve;

describe('simulateConstantProduct', () => {
  it('gives the most that the pair accepts by its check of K, for every fee [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer }) => {
        const { amountOut, shortfall } = simulateConstantProduct(pool, offer);
        fc.pre(shortfall === undefined);
        expect(passesCheckOfK(pool, { ...offer, amountOut })).toBe(true);
        expect(passesCheckOfK(pool, { ...offer, amountOut: amountOut + 1n })).toBe(false);
      }),
      propertyRuns,
    );
  });

  it('takes the whole offer or nothing, and moves exactly the amounts it names [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer }) => {
        const swap = simulateConstantProduct(pool, offer);
        const { amountInUsed, amountOut, stateAfter, shortfall } = swap;
        expect(amountInUsed).toBe(shortfall === undefined ? offer.amountIn : 0n);
        const [change0, change1] = offer.zeroForOne
          ? [amountInUsed, -amountOut]
          : [-amountOut, amountInUsed];
        expect(stateAfter.reserve0 - pool.reserve0).toBe(change0);
        expect(stateAfter.reserve1 - pool.reserve1).toBe(change1);
      }),
      propertyRuns,
    );
  });

  it('gives at least as much for more, at no better a rate [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer, other }) => {
        const more = offer.amountIn + other.amountIn;
        fc.pre(fits(pool, more) && offer.amountIn > 0n);
        const few = simulateConstantProduct(pool, offer).amountOut;
        const many = simulateConstantProduct(pool, { ...offer, amountIn: more }).amountOut;
        expect(many).toBeGreaterThanOrEqual(few);
        // One unit for the rounding of the smaller output.
        expect(many * offer.amountIn).toBeLessThanOrEqual((few + 1n) * more);
      }),
      propertyRuns,
    );
  });

  it('gives no more in two swaps than in one, for the fee stays in the reserves [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer, other }) => {
        const whole = offer.amountIn + other.amountIn;
        fc.pre(fits(pool, whole));
        const first = simulateConstantProduct(pool, offer);
        const second = simulateConstantProduct(first.stateAfter, {
          ...offer,
          amountIn: other.amountIn,
        });
        const once = simulateConstantProduct(pool, { ...offer, amountIn: whole });
        expect(first.amountOut + second.amountOut).toBeLessThanOrEqual(once.amountOut);
      }),
      propertyRuns,
    );
  });

  it('gives nothing for a journey there and back [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer }) => {
        const there = simulateConstantProduct(pool, offer);
        const back = simulateConstantProduct(there.stateAfter, {
          zeroForOne: !offer.zeroForOne,
          amountIn: there.amountOut,
        });
        expect(back.amountOut).toBeLessThanOrEqual(there.amountInUsed);
      }),
      propertyRuns,
    );
  });
});

/** The check at the end of `UniswapV2Pair.swap`, with the fee of a fork. */
function passesCheckOfK(
  pool: ConstantProductState,
  swap: { zeroForOne: boolean; amountIn: bigint; amountOut: bigint },
): boolean {
  const { feeNumerator, feeDenominator } = pool;
  const reserveIn = swap.zeroForOne ? pool.reserve0 : pool.reserve1;
  const reserveOut = swap.zeroForOne ? pool.reserve1 : pool.reserve0;
  const adjustedIn =
    (reserveIn + swap.amountIn) * feeDenominator - swap.amountIn * (feeDenominator - feeNumerator);
  const adjustedOut = (reserveOut - swap.amountOut) * feeDenominator;
  return adjustedIn * adjustedOut >= reserveIn * reserveOut * feeDenominator ** 2n;
}
