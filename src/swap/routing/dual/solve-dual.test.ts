import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import { createBudget } from '../budget.ts';
import { outputFor } from '../graph/edge-curve.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { poseProblem } from '../graph/routing-problem.ts';
import { solveDual } from './solve-dual.ts';

function solve(pools: Parameters<typeof prepareGraph>[0], amount: number, steps = 100) {
  const problem = poseProblem(prepareGraph(pools), { source: 0, sink: 1, amount, maxHops: 4 });
  const budget = createBudget(steps);
  return { problem, budget, point: solveDual(problem, { prices: problem.spot, budget }) };
}

const whole = 10n ** 22n;

describe('solveDual', () => {
  it.each([1e6, 1e18, 1e21, 1e23, 1e26])('finds what one pair gives for %d [Q19]', (amount) => {
    const { problem, point } = solve([pair([1, 2], [whole, 3n * whole])], amount);
    expect(point.value / outputFor(problem.graph, 0, amount)).toBeCloseTo(1, 10);
    // Prices of 16 digits cannot tell trades below 10⁻¹⁶ of the pool apart.
    expect(Math.abs(point.input[0]! - amount)).toBeLessThan(1e-9 * amount + 1e7);
  });

  it('puts half of a trade into each of two equal pools [Q18]', () => {
    const { point } = solve(
      [pair([1, 2], [whole, whole]), pair([1, 2], [whole, whole], { id: 1 })],
      1e21,
    );
    expect(point.input[0]! / 5e20).toBeCloseTo(1, 9);
    expect(point.input[2]! / 5e20).toBeCloseTo(1, 9);
  });

  it('balances every token on the way [Q18]', () => {
    const { problem, point } = solve(
      [
        pair([1, 2], [whole, whole]),
        rangePool(
          [1, 3],
          [
            [-600, 600, whole],
            [-60, 60, 30n * whole],
          ],
          { id: 1, fee: 500 },
        ),
        rangePool([2, 3], [[-6000, 6000, whole]], { id: 2 }),
        pair([2, 3], [whole, whole], { id: 3 }),
        pair([1, 4], [whole, whole], { id: 4 }),
        rangePool(
          [2, 4],
          [
            [-1200, 60, whole],
            [-60, 1200, whole],
          ],
          { id: 5, fee: 100, tickSpacing: 1 },
        ),
      ],
      2e21,
    );
    for (const token of problem.tokens) {
      if (token === problem.sink) continue;
      expect(Math.abs(point.prices[token]! * point.excess[token]!) / point.value).toBeLessThan(
        1e-9,
      );
    }
    expect(point.excess[problem.sink]! / point.value).toBeCloseTo(1, 9);
  });

  it('drives the price of the source to zero where the liquidity ends', () => {
    const { point } = solve([rangePool([1, 2], [[-600, 600, whole]])], 1e24);
    expect(point.prices[0]! * 1e24).toBeLessThan(1e-8 * point.value);
    expect(
      point.value / outputFor(prepareGraph([rangePool([1, 2], [[-600, 600, whole]])]), 0, 1e24),
    ).toBeCloseTo(1, 8);
  });

  it('stops when its budget is spent', () => {
    const pools = [pair([1, 2], [whole, whole]), pair([1, 2], [whole, 2n * whole], { id: 1 })];
    const { budget, point } = solve(pools, 1e23, 2);
    expect(budget.spent()).toBe(2);
    expect(point.value).toBeGreaterThan(solve(pools, 1e23).point.value);
  });
});
