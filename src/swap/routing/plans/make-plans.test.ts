import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import type { PoolState } from '../../pools/pool.ts';
import { createBudget } from '../budget.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { poseProblem } from '../graph/routing-problem.ts';
import { improvePlan } from './make-plans.ts';
import { createPathFlow } from './path-flow.ts';
import { createPlanCosts } from './plan-costs.ts';

const whole = 10n ** 22n;
const noGas = { path: 0, hops: {}, crossedTick: 0 };

function searchOver(
  pools: readonly PoolState[],
  settings: { gas?: Partial<typeof noGas>; maxPaths?: number } = {},
) {
  const graph = prepareGraph(pools);
  const problem = poseProblem(graph, { source: 0, sink: 1, amount: 1e21, maxHops: 4 });
  const prices = problem.spot;
  return {
    problem,
    prices,
    flow: createPathFlow(graph),
    costs: createPlanCosts(problem, { gas: { ...noGas, ...settings.gas }, prices }),
    maxPaths: settings.maxPaths ?? 16,
    bound: Number.POSITIVE_INFINITY,
    budget: createBudget(50),
  };
}

const all = (walk: number[]) => ({ walks: [walk], shares: Float64Array.of(1e21) });
const equals = [0, 1, 2, 3].map((id) => pair([1, 2], [whole, whole], { id }));

describe('improvePlan', () => {
  it('adds every walk that gains while gas is free [Q18]', () => {
    const plan = improvePlan(searchOver(equals), all([0]));
    expect(plan.walks).toEqual([[0], [2], [4], [6]]);
    expect(plan.shares[3]! / 2.5e20).toBeCloseTo(1, 4);
  });

  it('adds only walks that earn their gas [Q19]', () => {
    const search = searchOver(equals, { gas: { hops: { 'constant-product': 8e18 } } });
    // A second of these pairs adds 4.3e19 to 9e20, a third 1.6e19, a fourth 8e18.
    const plan = improvePlan(search, all([0]));
    expect(plan.walks).toHaveLength(3);
    expect((plan.output - plan.net) / (3 * 8e18)).toBeCloseTo(1, 9);
  });

  it('drops walks that do not earn their gas [Q19]', () => {
    const search = searchOver(equals, { gas: { path: 3e19 } });
    const start = {
      walks: [[0], [2], [4], [6]],
      shares: Float64Array.of(2.5e20, 2.5e20, 2.5e20, 2.5e20),
    };
    expect(improvePlan(search, start).walks).toHaveLength(2);
  });

  it('looks no further where no plan could leave perceptibly more [Q31]', () => {
    const search = searchOver(equals);
    const { output } = improvePlan(search, all([0]));
    const steps = search.budget.spent();
    expect(steps).toBeGreaterThan(3);
    const near = { ...search, bound: output * (1 + 9e-7), budget: createBudget(50) };
    const shares = Float64Array.of(2.5e20, 2.5e20, 2.5e20, 2.5e20);
    improvePlan(near, { walks: [[0], [2], [4], [6]], shares });
    expect(near.budget.spent()).toBe(0);
    const far = { ...search, bound: output * (1 + 1.1e-6), budget: createBudget(50) };
    improvePlan(far, { walks: [[0], [2], [4], [6]], shares });
    expect(far.budget.spent()).toBeGreaterThan(0);
  });

  it('counts the gas of crossed ticks', () => {
    const pools = [
      rangePool(
        [1, 2],
        [
          [-60, 60, 10n * whole],
          [-6000, 6000, 10n * whole],
        ],
      ),
    ];
    const search = searchOver(pools, { gas: { crossedTick: 1e15 } });
    const { output, net } = improvePlan(search, all([0]));
    // The trade leaves the narrow range and crosses one tick. Rounding may take two units.
    expect(output - net).toBeGreaterThan(0.99e15);
    expect(output - net).toBeLessThan(1.01e15);
  });

  it('holds the limit of paths', () => {
    const plan = improvePlan(searchOver(equals, { maxPaths: 2 }), all([0]));
    expect(plan.walks).toHaveLength(2);
  });

  it('moves a share to another walk that costs less gas [Q19]', () => {
    const pools = [
      rangePool([1, 2], [[-6000, 6000, 90n * whole]], { fee: 500 }),
      pair([1, 2], [40n * whole, 40n * whole], { id: 1 }),
    ];
    const search = searchOver(pools, { gas: { path: 1e20, hops: { concentrated: 9e19 } } });
    expect(improvePlan(search, all([0])).walks).toEqual([[2]]);
  });

  it('drops a walk that is exhausted and too small for its gas [Q19]', () => {
    const pools = [
      pair([1, 2], [whole, whole]),
      rangePool([1, 2], [[-60, 60, whole / 100n]], { id: 1 }),
    ];
    const search = searchOver(pools, { gas: { path: 1e18 } });
    const start = { walks: [[0], [2]], shares: Float64Array.of(1e21 - 3e17, 3e17) };
    expect(improvePlan(search, start).walks).toEqual([[0]]);
  });

  it('moves a pair to a better walk instead of sharing it', () => {
    const pools = [
      rangePool([1, 3], [[-6000, 6000, 900n * whole]], { fee: 300 }),
      pair([2, 3], [whole, whole], { id: 1 }),
      rangePool([1, 3], [[-6000, 6000, 900n * whole]], { id: 2, fee: 100 }),
    ];
    const graph = prepareGraph(pools);
    const search = searchOver(pools);
    const problem = poseProblem(graph, { source: 0, sink: 2, amount: 1e21, maxHops: 4 });
    const plan = improvePlan({ ...search, problem, prices: problem.spot }, all([0, 3]));
    expect(plan.walks).toEqual([[4, 3]]);
  });

  it('finds the very small share that a nearly empty pool is worth', () => {
    const pools = [
      pair([1, 2], [whole, whole]),
      rangePool([1, 2], [[-60, 60, whole / 10n ** 8n]], { id: 1 }),
    ];
    const plan = improvePlan(searchOver(pools), all([0]));
    expect(plan.walks).toEqual([[0], [2]]);
    expect(plan.shares[1]).toBeLessThan(1e-8 * 1e21);
  });
});
