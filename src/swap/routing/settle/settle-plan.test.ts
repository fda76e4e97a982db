import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { settleFullPlan, settlePlan } from './settle-plan.ts';

const whole = 10n ** 22n;
const graph = prepareGraph([
  pair([1, 2], [whole, whole]),
  rangePool([1, 2], [[-60, 60, whole]], { id: 1 }),
]);

describe('settlePlan', () => {
  it('uses every unit of the amount, though shares are not whole [Q18]', () => {
    const amountIn = 10n ** 20n + 7n;
    const shares = Float64Array.of(Number(amountIn) * 0.7, Number(amountIn) * 0.3);
    const { paths } = settlePlan(graph, { walks: [[0], [2]], shares }, amountIn);
    expect(paths.reduce((sum, path) => sum + path.amountIn, 0n)).toBe(amountIn);
  });

  it('hands on what a walk cannot take [Q18]', () => {
    // The concentrated pool takes some 3e19, which is still more than the pair's share.
    const shares = Float64Array.of(1e19, 9.9e20);
    const { paths, amountIn } = settlePlan(graph, { walks: [[0], [2]], shares }, 10n ** 21n);
    expect(amountIn).toBe(10n ** 21n);
    expect(paths[1]!.amountIn).toBeLessThan(10n ** 20n);
    expect(paths[0]!.amountIn).toBe(amountIn - paths[1]!.amountIn);
  });

  it('fills a part where no walk can take more', () => {
    const shares = Float64Array.of(1e22);
    const { amountIn } = settlePlan(graph, { walks: [[2]], shares }, whole);
    expect(amountIn).toBeGreaterThan(0n);
    expect(amountIn).toBeLessThan(10n ** 20n);
  });
});

describe('settleFullPlan', () => {
  it('fills the pools to their end, to the unit', () => {
    const most = settlePlan(graph, { walks: [[2]], shares: Float64Array.of(1e22) }, whole).amountIn;
    const plan = { walks: [[2]], shares: Float64Array.of(Number(most)) };
    expect(settleFullPlan(graph, plan, whole).amountIn).toBe(most);
  });

  it('offers no more than there is', () => {
    const plan = { walks: [[0], [2]], shares: Float64Array.of(100, 100) };
    expect(settleFullPlan(graph, plan, 150n).amountIn).toBe(150n);
  });
});
