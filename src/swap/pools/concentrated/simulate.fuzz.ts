import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concentratedPool } from '../../../../tests/support/concentrated-pool.ts';
import { propertyRuns } from '../../../../tests/support/property-runs.ts';
import {
  concentratedSettings,
  offersToConcentrated,
} from '../../../../tests/support/random-concentrated-pool.ts';
import type { ConcentratedState } from './concentrated-pool.ts';
import { simulateConcentrated } from './simulate.ts';
import { sqrtRatioAtTick } from './ticks.ts';

const swaps = concentratedSettings.chain((settings) =>
  fc.record({
    pool: fc.constant(concentratedPool(settings)),
    offer: offersToConcentrated(settings),
    other: offersToConcentrated(settings),
  }),
);

describe('simulateConcentrated', () => {
  it('takes no more than it is offered, and the same again when offered only that [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer }) => {
        const swap = simulateConcentrated(pool, offer);
        expect(swap.amountInUsed).toBeLessThanOrEqual(offer.amountIn);
        expect(swap.amountInUsed === offer.amountIn).toBe(swap.shortfall === undefined);
        if (swap.amountInUsed === 0n) {
          expect(swap).toMatchObject({ amountOut: 0n, stateAfter: pool });
        } else {
          const again = simulateConcentrated(pool, { ...offer, amountIn: swap.amountInUsed });
          expect(again).toEqual({ ...swap, shortfall: undefined });
        }
      }),
      propertyRuns,
    );
  });

  it('ends at a price within its tick, with the liquidity of the positions there [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer }) => {
        const { stateAfter } = simulateConcentrated(pool, offer);
        const { tick, sqrtPriceX96, liquidity } = stateAfter;
        expect(sqrtRatioAtTick(tick)).toBeLessThanOrEqual(sqrtPriceX96);
        expect(sqrtRatioAtTick(tick + 1)).toBeGreaterThanOrEqual(sqrtPriceX96);
        const active = pool.ticks
          .filter(({ index }) => index <= tick)
          .reduce((sum, { liquidityNet }) => sum + liquidityNet, 0n);
        expect(liquidity).toBe(active);
      }),
      propertyRuns,
    );
  });

  it('gives at least as much for more, at no better a rate [Q13]', () => {
    // Each step may round one unit off the output and one off the input after its fee.
    const mostSteps = 300n;
    fc.assert(
      fc.property(swaps, ({ pool, offer, other }) => {
        const few = simulateConcentrated(pool, offer).amountOut;
        const amountIn = offer.amountIn + other.amountIn;
        const many = simulateConcentrated(pool, { ...offer, amountIn }).amountOut;
        expect(many).toBeGreaterThanOrEqual(few);
        const roundedOff = (mostSteps * 1_000_000n) / (1_000_000n - BigInt(pool.fee));
        const generous = { ...offer, amountIn: offer.amountIn + roundedOff };
        const fewUnrounded = simulateConcentrated(pool, generous).amountOut + mostSteps;
        expect(many * offer.amountIn).toBeLessThanOrEqual(fewUnrounded * amountIn);
      }),
      propertyRuns,
    );
  });

  it('gives no more in two swaps than in one [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer, other }) => {
        const first = simulateConcentrated(pool, offer);
        const second = simulateConcentrated(first.stateAfter, {
          ...offer,
          amountIn: other.amountIn,
        });
        const amountIn = offer.amountIn + other.amountIn;
        const once = simulateConcentrated(pool, { ...offer, amountIn });
        expect(first.amountOut + second.amountOut).toBeLessThanOrEqual(once.amountOut);
      }),
      propertyRuns,
    );
  });

  it('gives nothing for a journey there and back [Q13]', () => {
    fc.assert(
      fc.property(swaps, ({ pool, offer }) => {
        const there = simulateConcentrated(pool, offer);
        const back = simulateConcentrated(there.stateAfter, {
          zeroForOne: !offer.zeroForOne,
          amountIn: there.amountOut,
        });
        expect(back.amountOut).toBeLessThanOrEqual(there.amountInUsed);
      }),
      propertyRuns,
    );
  });

  it('does with some words known what it does with all, as far as it goes [Q13]', () => {
    const words = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(swaps, words, ({ pool, offer }, [below, above]) => {
        const known = withWords(pool, below, above);
        const { shortfall, stateAfter, ...amounts } = simulateConcentrated(known, offer);
        const { sqrtPriceX96, tick, liquidity } = stateAfter;
        if (shortfall === 'ticks-unknown') {
          expect(amounts.amountInUsed).toBeLessThan(offer.amountIn);
          if (amounts.amountInUsed === 0n) return;
        }
        const amountIn = shortfall === 'ticks-unknown' ? amounts.amountInUsed : offer.amountIn;
        const withAll = simulateConcentrated(pool, { ...offer, amountIn });
        expect(withAll).toMatchObject({
          ...amounts,
          stateAfter: { sqrtPriceX96, tick, liquidity },
          shortfall: shortfall === 'ticks-unknown' ? undefined : shortfall,
        });
      }),
      propertyRuns,
    );
  });
});

/** The pool as known after reading the current word and so many words below and above it. */
function withWords(pool: ConcentratedState, below: number, above: number): ConcentratedState {
  const word = Math.floor(pool.tick / pool.tickSpacing) >> 8;
  const lowestKnownTick = (word - below) * 256 * pool.tickSpacing;
  const highestKnownTick = ((word + above) * 256 + 255) * pool.tickSpacing;
  const isKnown = (index: number) => index >= lowestKnownTick && index <= highestKnownTick;
  return {
    ...pool,
    ticks: pool.ticks.filter(({ index }) => isKnown(index)),
    lowestKnownTick,
    highestKnownTick,
  };
}
