import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import { outputFor } from '../graph/edge-curve.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { balanceShares } from './balance-shares.ts';
import { createPathFlow, type PathFlow } from './path-flow.ts';

const whole = 10n ** 22n;

describe('balanceShares', () => {
  it('gives equal pools equal shares, whatever it begins with [Q18]', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      pair([1, 2], [whole, whole], { id: 1 }),
    ]);
    for (const first of [0, 1e20, 1e21]) {
      const shares = Float64Array.of(first, 1e21 - first);
      const balanced = balanceShares(createPathFlow(graph), { walks: [[0], [2]], shares });
      expect(balanced.shares[0]! / 5e20).toBeCloseTo(1, 4);
    }
  });

  it('makes all margins equal, also across ticks and shared pools [Q18]', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      rangePool(
        [1, 3],
        [
          [-6000, 6000, 9n * whole],
          [-60, 60, 9n * whole],
        ],
        { id: 1 },
      ),
      pair([2, 3], [whole, whole], { id: 2 }),
      rangePool([2, 3], [[-6000, 6000, whole]], { id: 3 }),
    ]);
    const flow = createPathFlow(graph);
    const walks = [[0], [2, 5], [2, 7]];
    const balanced = balanceShares(flow, { walks, shares: Float64Array.of(1e21, 1e21, 1e20) });
    const margins = new Float64Array(3);
    flow.run(balanced, margins);
    expect(balanced.shares.reduce((sum, share) => sum + share) / 2.1e21).toBeCloseTo(1, 12);
    expect(Math.max(...margins) / Math.min(...margins) - 1).toBeLessThan(1e-6);
  });

  it('moves the share away from an exhausted pool [Q18]', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      rangePool([1, 2], [[-60, 60, whole]], { id: 1 }),
    ]);
    const plan = { walks: [[0], [2]], shares: Float64Array.of(0, 1e21) };
    const balanced = balanceShares(createPathFlow(graph), plan);
    const most = outputFor(graph, 0, 1e21 - 3e19) + outputFor(graph, 2, 1e30);
    expect(balanced.output / most).toBeGreaterThan(0.999);
  });

  it('takes the whole share from a walk that only loses', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      pair([1, 2], [whole, whole / 2n], { id: 1 }),
    ]);
    const plan = { walks: [[0], [2]], shares: Float64Array.of(1e18, 1e18) };
    expect([...balanceShares(createPathFlow(graph), plan).shares]).toEqual([2e18, 0]);
  });

  it('runs a plan only once if no shift of shares can improve it [Q31]', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      pair([1, 2], [whole, whole], { id: 1 }),
    ]);
    const flow = createPathFlow(graph);
    let runs = 0;
    const counted: PathFlow = {
      ...flow,
      run(plan, gradient) {
        runs += 1;
        return flow.run(plan, gradient);
      },
    };
    balanceShares(counted, { walks: [[0], [2]], shares: Float64Array.of(5e20, 5e20) });
    expect(runs).toBe(1);
  });
});
