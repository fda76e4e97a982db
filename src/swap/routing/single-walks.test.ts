import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../tests/support/routing-pools.ts';
import { prepareGraph } from './routing-graph.ts';
import { poseProblem } from './routing-problem.ts';
import { exactSingleWalks, singleWalks } from './single-walks.ts';
import { spotPrices } from './spot-prices.ts';

const whole = 10n ** 22n;
const graph = prepareGraph([
  pair([1, 2], [whole, whole]),
  rangePool([1, 2], [[-60, 60, 50n * whole]], { id: 1 }),
  pair([1, 3], [9n * whole, 9n * whole], { id: 2 }),
  pair([2, 3], [9n * whole, 9n * whole], { id: 3 }),
]);
const asked = (amount: number) => poseProblem(graph, { source: 0, sink: 1, amount, maxHops: 4 });
const free = (problem: ReturnType<typeof asked>) => ({
  prices: spotPrices(problem),
  costOf: () => 0,
});

describe('singleWalks', () => {
  it('finds the best walk of each length for the whole amount [Q18]', () => {
    const problem = asked(1e20);
    expect(singleWalks(problem, free(problem)).slice(0, 2)).toEqual([[2], [4, 7]]);
  });

  it('passes no pool that cannot take the whole amount', () => {
    const problem = asked(1e22);
    expect(singleWalks(problem, free(problem))[0]).toEqual([0]);
  });

  it('weighs what a hop costs', () => {
    const problem = asked(1e20);
    const costOf = (edge: number) => (edge === 2 ? 2e18 : 0);
    expect(singleWalks(problem, { ...free(problem), costOf })[0]).toEqual([0]);
  });
});

describe('exactSingleWalks', () => {
  it('finds what gives most in whole units', () => {
    // A concentrated pool keeps a unit of input for its fee, a pair at most one of output.
    expect(exactSingleWalks(asked(3), 3n)[0]).toEqual([0]);
    expect(exactSingleWalks(asked(1e20), 10n ** 20n)[0]).toEqual([2]);
  });

  it('finds nothing where nothing comes out', () => {
    expect(exactSingleWalks(asked(1), 1n)).toEqual([]);
  });
});
