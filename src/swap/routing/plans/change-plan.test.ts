import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import { createBudget } from '../budget.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { poseProblem } from '../graph/routing-problem.ts';
import { walksForAmount } from './change-plan.ts';
import { createPathFlow, type Plan } from './path-flow.ts';
import { createPlanCosts } from './plan-costs.ts';

const whole = 10n ** 22n;
const graph = prepareGraph([
  pair([1, 2], [whole, whole]),
  rangePool([1, 2], [[-60, 60, 60n * whole]], { id: 1 }),
  pair([1, 3], [9n * whole, 9n * whole], { id: 2 }),
  pair([2, 3], [9n * whole, 9n * whole], { id: 3 }),
]);
const nothing: Plan = { walks: [], shares: new Float64Array() };

function walksFor(amount: number, { rest = nothing, concentratedHop = 0 } = {}) {
  const problem = poseProblem(graph, { source: 0, sink: 1, amount, maxHops: 4 });
  const prices = problem.spot;
  const gas = { path: 0, hops: { concentrated: concentratedHop }, crossedTick: 0 };
  const search = {
    problem,
    prices,
    flow: createPathFlow(graph),
    costs: createPlanCosts(problem, { gas, prices }),
    maxPaths: 16,
    bound: Number.POSITIVE_INFINITY,
    budget: createBudget(10),
  };
  return walksForAmount(search, { rest, amount }).eachTo(problem.sink);
}

describe('walksForAmount', () => {
  it('finds the best walk of each length for the whole amount [Q18]', () => {
    expect(walksFor(1e20).slice(0, 2)).toEqual([[2], [4, 7]]);
  });

  it('passes no pool that cannot take the whole amount', () => {
    // The concentrated pool would give more than the pair for the part that it can take.
    expect(walksFor(2e21)[0]).toEqual([0]);
  });

  it('finds the pools as the rest of the plan leaves them', () => {
    const rest = { walks: [[2]], shares: Float64Array.of(1.75e21) };
    expect(walksFor(1e20, { rest })[0]).toEqual([0]);
  });

  it('uses no pool in the direction opposite to the rest of the plan', () => {
    const rest = { walks: [[1]], shares: Float64Array.of(1e18) };
    expect(walksFor(2e21, { rest })[0]).not.toEqual([0]);
  });

  it('deducts the cost of a hop', () => {
    expect(walksFor(1e20, { concentratedHop: 2e18 })[0]).toEqual([0]);
  });
});
