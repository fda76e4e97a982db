import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { poseProblem } from '../graph/routing-problem.ts';
import { exactSingleWalks } from './exact-single-walks.ts';

const whole = 10n ** 22n;
const deepGraph = prepareGraph([
  pair([1, 2], [whole, whole]),
  rangePool([1, 2], [[-60, 60, 50n * whole]], { id: 1 }),
]);

function walksFor(amountIn: bigint) {
  const amount = Number(amountIn);
  const problem = poseProblem(deepGraph, { source: 0, sink: 1, amount, maxHops: 1 });
  return exactSingleWalks(problem, amountIn);
}

describe('exactSingleWalks', () => {
  it('finds what gives most in whole units [Q18]', () => {
    // A concentrated pool keeps a unit of input for its fee, a pair at most one of output.
    expect(walksFor(3n)).toEqual([[0]]);
    expect(walksFor(10n ** 20n)).toEqual([[2]]);
  });

  it('finds nothing where nothing comes out', () => {
    expect(walksFor(1n)).toEqual([]);
  });
});
