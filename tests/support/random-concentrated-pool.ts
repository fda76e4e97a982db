import fc from 'fast-check';
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from '../../src/swap/pools/concentrated/ticks.ts';
import type { ExactInput } from '../../src/swap/pools/pool.ts';
import { type ConcentratedSettings, concentratedPool, type Position } from './concentrated-pool.ts';
import { amountsOfBits, powersOfTwoTimes, scaleAmount } from './random-amounts.ts';

const fractions = fc.integer({ min: 0, max: 2 ** 30 - 1 }).map((part) => part / 2 ** 30);

const tiers = fc.oneof(
  fc.constantFrom(
    { fee: 100, tickSpacing: 1 },
    { fee: 500, tickSpacing: 10 },
    { fee: 3000, tickSpacing: 60 },
    { fee: 10_000, tickSpacing: 200 },
  ),
  fc.record({
    fee: fc.constantFrom(0, 1, 250, 2500, 80_000, 999_999),
    // The factory allows 1 to 16383.
    tickSpacing: fc.constantFrom(1, 2, 7, 50, 1001, 16_383),
  }),
);

const currentTicks = fc.oneof(
  fc.integer({ min: -600, max: 600 }),
  fc.integer({ min: -300_000, max: 300_000 }),
  fc.integer({ min: MIN_TICK, max: MIN_TICK + 3000 }),
  fc.integer({ min: MAX_TICK - 3000, max: MAX_TICK - 1 }),
);

/**
 * Pools of every shape: the four common tiers and odd ones; prices from one end to the other, often
 * exactly on a tick; positions that overlap, touch, leave gaps, end at word borders, are one
 * spacing wide or span everything.
 */
export const concentratedSettings: fc.Arbitrary<ConcentratedSettings> = settingsWith(tiers);

/** The same with other fees and tick spacings. */
export function settingsWith(
  anyTier: fc.Arbitrary<Pick<ConcentratedSettings, 'fee' | 'tickSpacing'>>,
): fc.Arbitrary<ConcentratedSettings> {
  return fc
    .tuple(anyTier, currentTicks, fc.oneof(fc.constant(0), fractions))
    .chain(([tier, tick, fraction]) => {
      const [low, high] = [sqrtRatioAtTick(tick), sqrtRatioAtTick(tick + 1)];
      return fc.record({
        fee: fc.constant(tier.fee),
        tickSpacing: fc.constant(tier.tickSpacing),
        sqrtPriceX96: fc.constant(low + scaleAmount(high - low - 1n, fraction)),
        positions: fc.array(positionsAround(tick, tier.tickSpacing), {
          minLength: 1,
          maxLength: 10,
        }),
      });
    });
}

/** Offers of one unit, of amounts that move the price a little or a lot, and of more than any pool takes. */
export function offersToConcentrated(pool: ConcentratedSettings): fc.Arbitrary<ExactInput> {
  const liquidity = concentratedPool(pool).liquidity || (pool.positions[0]?.liquidity ?? 1n);
  // Moves the price by 400 tick spacings, at 1.0001 a tick: about as far as most positions reach.
  const reach = pool.tickSpacing * 400 * 0.00005;
  return fc.boolean().chain((zeroForOne) => {
    const doubling = zeroForOne
      ? (liquidity << 96n) / pool.sqrtPriceX96
      : (liquidity * pool.sqrtPriceX96) >> 96n;
    return fc.record({
      zeroForOne: fc.constant(zeroForOne),
      amountIn: fc.oneof(
        { weight: 3, arbitrary: fc.bigInt(1n, 2000n) },
        { weight: 20, arbitrary: powersOfTwoTimes(scaleAmount(doubling, reach) + 1n, [-20, 1]) },
        { weight: 1, arbitrary: amountsOfBits(255) },
      ),
    });
  });
}

function positionsAround(tick: number, tickSpacing: number): fc.Arbitrary<Position> {
  const lowest = Math.ceil(MIN_TICK / tickSpacing);
  const highest = Math.floor(MAX_TICK / tickSpacing);
  const current = Math.floor(tick / tickSpacing);
  const adjacent = around(current, 2).map((lower) => [lower, lower + 1] as const);
  const near = around(current, 300);
  const far = around(current, 4000);
  const atWordBorder = fc
    .tuple(around(current >> 8, 2), around(0, 1))
    .map(([word, offset]) => word * 256 + offset);
  // With fine ticks a swap through the whole range takes an EVM a second, so such pools get no full-range positions.
  const widest = tickSpacing < 50 ? fc.tuple(far, far) : fc.constant([lowest, highest] as const);
  const straddling = fc
    .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 400 }))
    .map(([below, above]) => [current - below, current + above] as const);
  const ends = fc.oneof(
    { weight: 4, arbitrary: straddling },
    adjacent,
    widest,
    fc.tuple(near, near),
    fc.tuple(far, far),
    fc.tuple(atWordBorder, fc.oneof(near, atWordBorder)),
  );
  return fc.tuple(ends, liquidities).map(([[left, right], liquidity]) => {
    const lower = Math.max(lowest, Math.min(left, right, highest - 1));
    const upper = Math.min(highest, Math.max(left, right, lower + 1));
    return { tickLower: lower * tickSpacing, tickUpper: upper * tickSpacing, liquidity };
  });
}

function around(center: number, distance: number): fc.Arbitrary<number> {
  return fc.integer({ min: center - distance, max: center + distance });
}

/** Ten positions on one tick stay below the most that a tick may hold: 2¹²⁸ divided by the number of ticks. */
const liquidities = fc.oneof(amountsOfBits(104), fc.bigInt(10n ** 17n, 10n ** 22n));
