import { describe, expect, it } from 'vitest';
import { pair, rangePool, token } from '../../../../tests/support/routing-pools.ts';
import type { PoolState } from '../../pools/pool.ts';
import { createBudget } from '../budget.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { poseProblem } from '../graph/routing-problem.ts';
import { createPathFlow } from '../plans/path-flow.ts';
import { decomposeFlow } from './decompose-flow.ts';
import { solveDual } from './solve-dual.ts';

const whole = 10n ** 22n;

function decompose(pools: readonly PoolState[], amount: number, maxPaths = 16) {
  const graph = prepareGraph(pools);
  const sink = graph.tokenNumbers.get(token(2)) ?? -1;
  const problem = poseProblem(graph, { source: 0, sink, amount, maxHops: 4 });
  const prices = problem.spot;
  const point = solveDual(problem, { prices, budget: createBudget(100) });
  const plan = decomposeFlow(problem, point, maxPaths);
  return { plan, point, output: createPathFlow(graph).run(plan) };
}

describe('decomposeFlow', () => {
  const mixed = [
    pair([1, 2], [whole, whole]),
    pair([1, 3], [whole, whole], { id: 1 }),
    rangePool([1, 3], [[-6000, 6000, 3n * whole]], { id: 2 }),
    pair([2, 3], [whole, whole], { id: 3 }),
    rangePool([2, 3], [[-6000, 6000, 3n * whole]], { id: 4 }),
  ];

  it('writes the whole flow as paths [Q18]', () => {
    const { plan, point, output } = decompose(mixed, 1e21);
    expect(plan.shares.reduce((sum, share) => sum + share) / 1e21).toBeCloseTo(1, 9);
    expect(output / point.value).toBeCloseTo(1, 9);
  });

  it('keeps the paths that give most where there may be only few, not those that take most [Q50]', () => {
    const full = pair([1, 2], [whole, whole / 100n]);
    const dear = pair([1, 2], [whole / 10_000n, whole / 100n], { id: 1 });
    const { plan, point } = decompose([full, dear], 1e21, 1);
    expect(point.input[0]).toBeGreaterThan(5 * (point.input[2] ?? 0));
    expect(plan.walks).toEqual([[2]]);
  });

  it('puts each pair into one path where it can [Q18]', () => {
    const { plan } = decompose(mixed, 1e21);
    for (const pairEdge of [0, 2, 7]) {
      expect(plan.walks.filter((walk) => walk.includes(pairEdge))).toHaveLength(1);
    }
  });

  it('keeps the order for which the shares are computed where paths must share a pair', () => {
    const { plan, point, output } = decompose(
      [
        pair([1, 3], [whole, whole]),
        pair([2, 3], [whole, whole], { id: 1 }),
        pair([2, 3], [whole, whole], { id: 2 }),
      ],
      1e21,
    );
    expect(plan.walks).toHaveLength(2);
    expect(output / point.value).toBeGreaterThan(0.999);
  });

  it('drops the smallest paths beyond the limit', () => {
    const pools = [4n, 1n, 3n].map((size, id) =>
      pair([1, 2], [size * whole, size * whole], { id }),
    );
    const { plan } = decompose(pools, 1e21, 2);
    expect(plan.walks.flat().sort()).toEqual([0, 4]);
  });
});
