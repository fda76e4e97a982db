import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryPools, pair, rangePool } from '../../../tests/support/routing-pools.ts';
import { outputFor } from '../routing/graph/edge-curve.ts';
import { prepareGraph } from '../routing/graph/routing-graph.ts';
import type { PoolState } from './pool.ts';
import { poolKindOf, simulateSwap } from './pool-kinds.ts';
import { linearCurve, type Segment, type TradingCurve, tabulateCurve } from './trading-curve.ts';

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

  it('ends at a tick that contradicts the liquidity', () => {
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

describe('tabulateCurve', () => {
  // A pair with a million on each side, as a function: the pair's own curve gives the exact figures to compare with.
  const reserve = 1e24;
  const pairFunction = {
    value: (input: number) => (reserve * input) / (reserve + input),
    slope: (input: number) => (reserve / (reserve + input)) ** 2,
    capacity: 100 * reserve,
  };
  const at = (curve: TradingCurve, input: number) => {
    const segment = curve.segments.findLast(({ inputBefore }) => inputBefore <= input)!;
    const d = (input - segment.inputBefore) / segment.liquidity;
    const { start, outputBefore } = segment;
    return outputBefore + (segment.liquidity * start ** 2 * d) / (1 + start * d);
  };
  const arbitrage = (corners: readonly Segment[], price: number) =>
    Math.max(
      0,
      ...corners.map(({ inputBefore, outputBefore }) => outputBefore - price * inputBefore),
    );

  it('passes through its nodes and falls from segment to segment [Q27]', () => {
    const { segments, isTabulated } = tabulateCurve(pairFunction);
    expect(isTabulated).toBe(true);
    const starts = segments.map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted((left, right) => right - left));
    for (const { inputBefore, outputBefore } of segments) {
      expect(outputBefore / Math.max(1, pairFunction.value(inputBefore))).toBeCloseTo(
        inputBefore === 0 ? 0 : 1,
        12,
      );
    }
  });

  it('is off by less than 1e-7 near the given input [Q27]', () => {
    const input = 0.3 * reserve;
    for (const part of [0.93, 0.97, 1, 1.04, 1.09]) {
      const exact = pairFunction.value(part * input);
      const tabulated = at(tabulateCurve({ ...pairFunction, around: input }), part * input);
      expect(Math.abs(tabulated / exact - 1)).toBeLessThan(1e-7);
    }
  });

  it('has corners that no trade exceeds, and close ones around the input [Q19] [Q27]', () => {
    for (const price of [0.999999, 0.99, 0.7, 0.2, 1e-3]) {
      const input = reserve * (1 / Math.sqrt(price) - 1);
      const most = pairFunction.value(input) - price * input;
      expect(arbitrage(tabulateCurve(pairFunction).bound ?? [], price)).toBeGreaterThanOrEqual(
        most,
      );
      const close = arbitrage(tabulateCurve({ ...pairFunction, around: input }).bound ?? [], price);
      expect(close).toBeGreaterThanOrEqual(most);
      expect((close - most) / pairFunction.value(input)).toBeLessThan(4e-6);
    }
  });

  it('writes a line as one that hardly bends, bounded by the line itself [Q27]', () => {
    const curve = linearCurve({ rate: 1.05, capacity: 1e24 });
    for (const input of [1, 1e12, 1e24]) {
      expect(
        at({ ...curve, segments: curve.segments.slice(0, 1) }, input) / (1.05 * input),
      ).toBeCloseTo(1, 6);
    }
    expect(curve.bound).toEqual([
      { start: Math.sqrt(1.05), liquidity: 0, inputBefore: 1e24, outputBefore: 1.05e24 },
    ]);
    expect(linearCurve({ rate: 1, capacity: 0 }).segments).toHaveLength(1);
  });
});
