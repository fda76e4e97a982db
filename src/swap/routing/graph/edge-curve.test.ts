import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import { inputFor, outputFor, rateAfter, segmentAfter, segmentAtRoot } from './edge-curve.ts';
import { prepareGraph } from './routing-graph.ts';

const graph = prepareGraph([
  pair([1, 2], [10n ** 22n, 3n * 10n ** 22n]),
  rangePool(
    [1, 2],
    [
      [-600, 600, 10n ** 20n],
      [-120, 60, 10n ** 22n],
      [-3000, -1200, 10n ** 21n],
    ],
    { id: 1 },
  ),
]);
const inputs = [1e15, 1e18, 3e19, 6.2e19, 1e20];

describe('outputFor', () => {
  const tradable = [0, 1, 2, 3].flatMap((edge) =>
    inputs
      .filter((input) => rateAfter(graph, edge, input) > 0)
      .map((input) => [edge, input] as const),
  );

  it.each(tradable)('is undone by inputFor on edge %i after %d', (edge, input) => {
    expect(inputFor(graph, edge, outputFor(graph, edge, input)) / input).toBeCloseTo(1, 9);
  });

  it.each(tradable)('rises by rateAfter on edge %i after %d', (edge, input) => {
    const nudge = input * 1e-6;
    const rise = outputFor(graph, edge, input + nudge) - outputFor(graph, edge, input);
    expect(rise / nudge / rateAfter(graph, edge, input)).toBeCloseTo(1, 5);
  });

  it('stays constant once the liquidity is used up', () => {
    expect(outputFor(graph, 2, 1e30)).toBe(outputFor(graph, 2, 1e25));
    expect(rateAfter(graph, 2, 1e25)).toBe(0);
  });
});

describe('segmentAfter', () => {
  it('names the segment that the next unit of input trades in', () => {
    const first = graph.firstSegment[2] ?? 0;
    expect(segmentAfter(graph, 2, 0)).toBe(first);
    expect(graph.liquidity[segmentAfter(graph, 2, 6.2e19)]).toBe(1e20);
    expect(segmentAfter(graph, 2, 1e30)).toBe((graph.firstSegment[3] ?? 0) - 1);
  });
});

describe('segmentAtRoot', () => {
  it('is none where the price has not fallen', () => {
    expect(segmentAtRoot(graph, 2, 1)).toBe(-1);
    expect(segmentAtRoot(graph, 2, 0.99999)).toBe(graph.firstSegment[2]);
    expect(segmentAtRoot(graph, 2, 1e-25)).toBe((graph.firstSegment[3] ?? 0) - 1);
  });
});
