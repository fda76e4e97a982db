import { describe, expect, it } from 'vitest';
import { pair } from '../../../../tests/support/routing-pools.ts';
import { prepareGraph } from './routing-graph.ts';
import { poseProblem } from './routing-problem.ts';

const whole = 10n ** 22n;

describe('spotPrices', () => {
  it('values each token along its best walk, fees counted', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      pair([1, 3], [whole, 4n * whole], { id: 1 }),
      pair([2, 3], [whole, 2n * whole], { id: 2 }),
    ]);
    const problem = poseProblem(graph, { source: 0, sink: 1, amount: 1, maxHops: 4 });
    const [first, sink, third] = problem.spot;
    expect(sink).toBe(1);
    expect(third).toBeCloseTo(0.997 / 2, 12);
    expect(first).toBeCloseTo((4 * 0.997 * 0.997) / 2, 12);
  });

  it('holds the sink at one, also where a closed walk from it gains', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      pair([1, 2], [whole, 2n * whole], { id: 1 }),
    ]);
    const problem = poseProblem(graph, { source: 0, sink: 1, amount: 1, maxHops: 4 });
    expect(problem.spot[1]).toBe(1);
  });
});
