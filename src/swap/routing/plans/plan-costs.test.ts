import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { createPathFlow } from './path-flow.ts';
import { createPlanCosts } from './plan-costs.ts';

const whole = 10n ** 22n;
const graph = prepareGraph([
  pair([1, 2], [whole, whole]),
  rangePool(
    [2, 3],
    [
      [-60, 60, whole],
      [-600, 600, whole],
    ],
    { id: 1 },
  ),
]);
const problem = { graph, edges: Int32Array.from(graph.from.keys()) };
const prices = Float64Array.of(7, 5, 1);
const free = { path: 0, hops: {}, crossedTick: 0 };

describe('createPlanCosts', () => {
  it('counts what rounding takes at each hop, in value', () => {
    const { isFree, ofHop, ofWalk } = createPlanCosts(problem, { gas: free, prices });
    expect(isFree).toBe(true);
    // A pair rounds its output down; a concentrated pool also keeps up to a unit of input.
    expect(ofHop(0)).toBe(5);
    expect(ofHop(2)).toBe(5 + 1);
    expect(ofWalk([0, 2])).toBe(11);
  });

  it('adds the gas of the path and of each hop [Q19]', () => {
    const gas = {
      path: 1000,
      hops: { 'constant-product': 100, concentrated: 200 },
      crossedTick: 0,
    };
    const { isFree, ofWalk } = createPlanCosts(problem, { gas, prices });
    expect(isFree).toBe(false);
    expect(ofWalk([0, 2])).toBe(1311);
  });

  it('gives a lower bound on the cost of any walk [Q31]', () => {
    const gas = { ...free, path: 1000, hops: { 'constant-product': 100, concentrated: 200 } };
    expect(createPlanCosts(problem, { gas, prices }).leastOfWalk).toBe(1000 + 100 + 5);
  });

  it('counts each tick that all walks together cross once [Q19]', () => {
    const gas = { ...free, crossedTick: 10 };
    const { ofCrossedTicks } = createPlanCosts(problem, { gas, prices });
    const flow = createPathFlow(graph);
    const plan = { walks: [[2], [0, 2]], shares: Float64Array.of(5e19, 5e19) };
    flow.run(plan);
    expect(ofCrossedTicks(flow, plan.walks)).toBe(10);
  });
});
