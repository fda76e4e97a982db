import { describe, expect, it } from 'vitest';
import { pair, rangePool, token } from '../../../../tests/support/routing-pools.ts';
import { prepareGraph } from './routing-graph.ts';

describe('prepareGraph', () => {
  const graph = prepareGraph([
    pair([1, 2], [100n, 400n]),
    rangePool([2, 3], [[-600, 600, 10n ** 18n]], { id: 1, fee: 500 }),
    pair([1, 3], [0n, 0n], { id: 2 }),
  ]);

  it('makes two edges of each pool', () => {
    expect(graph.tokens).toEqual([token(1), token(2), token(3)]);
    expect([...graph.from]).toEqual([0, 1, 1, 2, 0, 2]);
    expect([...graph.to]).toEqual([1, 0, 2, 1, 2, 0]);
    expect([...graph.compounds]).toEqual([1, 1, 0, 0, 1, 1]);
  });

  it('knows the rate of a small trade, and none where there is no liquidity', () => {
    expect(graph.rate[0]).toBeCloseTo(4 * 0.997, 12);
    expect(graph.rate[1]).toBeCloseTo(0.25 * 0.997, 12);
    expect(graph.rate[2]).toBeCloseTo(0.9995, 12);
    expect(graph.rate[4]).toBe(0);
  });
});
