import { describe, expect, it } from 'vitest';
import { execute, pair, rangePool, token } from '../../../../tests/support/routing-pools.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { createPathFlow } from './path-flow.ts';

const whole = 10n ** 22n;
const pools = [
  pair([1, 3], [whole, whole]),
  rangePool(
    [2, 3],
    [
      [-600, 600, whole],
      [-60, 60, 9n * whole],
    ],
    { id: 1 },
  ),
  pair([2, 3], [whole, whole], { id: 2 }),
  rangePool([1, 3], [[-60, 120, 20n * whole]], { id: 3, fee: 500 }),
];
const graph = prepareGraph(pools);
// Tokens are numbered 1, 3, 2: edges 0 and 6 lead from 1 to 3, edges 3 and 5 from 3 to 2.
const plan = {
  walks: [
    [0, 3],
    [0, 5],
    [6, 3],
    [6, 5],
  ],
  shares: Float64Array.of(2e20, 3e20, 2e20, 1e20),
};

describe('createPathFlow', () => {
  it('finds what the contracts give where walks share pools [Q18]', () => {
    const states = new Map(pools.map((pool) => [pool.address, pool]));
    const exact = plan.walks.map((walk, index) =>
      execute(
        states,
        walk.map((edge) => pools[edge >> 1]!),
        {
          tokenIn: token(1),
          amountIn: BigInt(plan.shares[index]!),
        },
      ),
    );
    const total = exact.reduce<bigint>((sum, output) => sum + (output ?? 0n), 0n);
    expect(createPathFlow(graph).run(plan) / Number(total)).toBeCloseTo(1, 13);
  });

  it('gives less for two swaps in a pair than for one of the same total', () => {
    const flow = createPathFlow(graph);
    const twice = flow.run({ walks: [[0], [0]], shares: Float64Array.of(1e21, 1e21) });
    const once = flow.run({ walks: [[0]], shares: Float64Array.of(2e21) });
    expect(1 - twice / once).toBeGreaterThan(1e-5);
    const twiceInRange = flow.run({ walks: [[6], [6]], shares: Float64Array.of(1e20, 2e20) });
    expect(twiceInRange / flow.run({ walks: [[6]], shares: Float64Array.of(3e20) })).toBeCloseTo(
      1,
      14,
    );
  });

  it('gives the marginal output of each share', () => {
    const flow = createPathFlow(graph);
    const gradient = new Float64Array(4);
    flow.run(plan, gradient);
    gradient.forEach((slope, index) => {
      const nudge = 1e15;
      const shares = (sign: number) => plan.shares.with(index, plan.shares[index]! + sign * nudge);
      const rise =
        flow.run({ ...plan, shares: shares(1) }) - flow.run({ ...plan, shares: shares(-1) });
      expect(rise / (2 * nudge) / slope).toBeCloseTo(1, 5);
    });
  });
});
