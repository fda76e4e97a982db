import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryPools, pair, rangePool } from '../../../tests/support/routing-pools.ts';
import { outputFor } from '../routing/graph/edge-curve.ts';
import { prepareGraph } from '../routing/graph/routing-graph.ts';
import { poolKindOf } from './pool-kinds.ts';
import type { PoolState } from './pool-state.ts';
import { simulateSwap } from './simulate-swap.ts';

const tradingCurve = (pool: PoolState, zeroForOne: boolean) =>
  poolKindOf(pool).curve(pool, { zeroForOne });

describe('the curve of a pool', () => {
  it('writes a pair as one segment that ends where its reserve would overflow', () => {
    const { keep, segments } = tradingCurve(pair([1, 2], [400n, 100n]), true);
    expect(keep).toBe(0.997);
    expect(segments).toHaveLength(2);
    expect(segments[0]).toEqual({ start: 0.5, liquidity: 200, inputBefore: 0, outputBefore: 0 });
    expect(segments[1]?.inputBefore).toBeCloseTo(0.997 * 2 ** 112, -20);
  });

  it('has nothing to give where a side is empty', () => {
    expect(tradingCurve(pair([1, 2], [0n, 5n]), true).segments).toHaveLength(1);
    expect(tradingCurve(rangePool([1, 2], []), true).segments[0]?.liquidity).toBe(0);
  });

  it('begins behind a gap and keeps gaps between ranges', () => {
    const pool = rangePool(
      [1, 2],
      [
        [-240, -120, 10n ** 18n],
        [-600, -480, 10n ** 18n],
      ],
    );
    const down = tradingCurve(pool, true).segments;
    expect(down.map(({ liquidity }) => liquidity)).toEqual([1e18, 0, 1e18, 0, 0]);
    expect(down[0]?.start).toBeCloseTo(1.0001 ** -60, 12);
    expect(down[1]?.inputBefore).toBe(down[2]?.inputBefore);
    expect(tradingCurve(pool, false).segments).toHaveLength(1);
  });

  it('ends where the known ticks end', () => {
    const pool = {
      ...rangePool([1, 2], [[-6000, 6000, 10n ** 18n]]),
      lowestKnownTick: -600,
      ticks: [],
    };
    const [, end] = tradingCurve(pool, true).segments;
    expect(end?.start).toBeCloseTo(1.0001 ** -300, 12);
    expect(end?.liquidity).toBe(0);
  });

  it('distrusts ticks that contradict the liquidity', () => {
    const pool = { ...rangePool([1, 2], [[-600, 600, 10n ** 18n]]), liquidity: 5n };
    expect(tradingCurve(pool, true).segments).toHaveLength(1);
  });

  it('gives what the contract gives but for its rounding [Q18]', () => {
    fc.assert(
      fc.property(
        arbitraryPools(2, 1),
        fc.boolean(),
        fc.integer({ min: 0, max: 2200 }),
        ([pool], zeroForOne, size) => {
          if (pool === undefined) return;
          const graph = prepareGraph([pool]);
          const amountIn = BigInt(Math.floor(10 ** (size / 100)));
          const edge = zeroForOne ? 0 : 1;
          const exact = simulateSwap(pool, { zeroForOne, amountIn });
          if (exact.shortfall !== undefined) return;
          const output = outputFor(graph, edge, Number(amountIn));
          // The contract keeps up to a unit of input at each stop; one unit of input may be worth
          // more than one of output.
          const unit =
            outputFor(graph, edge, Number(amountIn)) -
            outputFor(graph, edge, Number(amountIn) - 40);
          expect(Number(exact.amountOut)).toBeLessThanOrEqual(output * (1 + 1e-13));
          expect(Number(exact.amountOut)).toBeGreaterThanOrEqual(output * (1 - 1e-12) - unit - 40);
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });
});
