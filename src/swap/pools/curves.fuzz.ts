import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curvePool } from '../../../tests/support/curve-pool.ts';
import { propertyRuns } from '../../../tests/support/property-runs.ts';
import { offersToSolidly, solidlySettings } from '../../../tests/support/random-solidly-pair.ts';
import { solidlyPair } from '../../../tests/support/solidly-pair.ts';
import type { ExactInput, PoolState } from './pool.ts';
import { poolKindOf } from './pool-kinds.ts';

const velodromeTrades = solidlySettings.chain((settings) =>
  fc.record({
    state: fc.constant({ ...solidlyPair(settings), generation: 'velodrome-v2' as const }),
    offer: offersToSolidly(settings),
  }),
);
const solidlyTrades = solidlySettings.chain((settings) =>
  fc.record({ state: fc.constant(solidlyPair(settings)), offer: offersToSolidly(settings) }),
);

const decimals = [18, 6, 8] as const;
const curveTrades = fc
  .record({
    amplification: fc.bigInt(2n, 5000n),
    sizes: fc.tuple(...decimals.map(() => fc.double({ min: 10, max: 30, noNaN: true }))),
    zeroForOne: fc.boolean(),
    part: fc.double({ min: -25, max: 3, noNaN: true }),
  })
  .map(({ amplification, sizes, zeroForOne, part }) => {
    const balances = decimals.map(
      (digits, coin) => BigInt(Math.floor(2 ** sizes[coin]!)) * 10n ** BigInt(digits),
    );
    const state = curvePool({
      amplification,
      balances,
      decimals,
      fee: 4_000_000n,
      adminFee: 5_000_000_000n,
    });
    const sold = Number(balances[zeroForOne ? 0 : 1]);
    return { state, offer: { zeroForOne, amountIn: BigInt(Math.floor(sold * 2 ** part)) + 1n } };
  });

/** The most that the bound of the pool's curve allows for an input. */
function boundFor(state: PoolState, { zeroForOne, amountIn }: ExactInput): number {
  const { keep, segments, bound } = poolKindOf(state).curve(state, { zeroForOne });
  const trading = Number(amountIn) * keep;
  const limits = (bound ?? segments).map(({ start, liquidity, inputBefore, outputBefore }) => {
    // The bound of a route allows the same rounding errors of floats.
    const rounding = 2 ** -48 * (outputBefore + start * start * inputBefore);
    if (liquidity === 0) return outputBefore + start * start * (trading - inputBefore) + rounding;
    const further = (trading - inputBefore) / liquidity;
    return outputBefore + (liquidity * start * start * further) / (1 + start * further) + rounding;
  });
  return Math.min(...limits);
}

describe('the curves of pools', () => {
  for (const [name, trades] of [
    ['Solidly', solidlyTrades],
    ['Velodrome V2', velodromeTrades],
    ['Curve', curveTrades],
  ] as const) {
    it(`of ${name} bound what the contract gives [Q26]`, () => {
      fc.assert(
        fc.property(trades, ({ state, offer }) => {
          const { amountOut } = poolKindOf(state).simulate(state, offer);
          expect(Number(amountOut)).toBeLessThanOrEqual(boundFor(state, offer) * (1 + 1e-12));
        }),
        propertyRuns,
      );
    });
  }
});
