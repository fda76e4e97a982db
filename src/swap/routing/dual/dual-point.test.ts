import { describe, expect, it } from 'vitest';
import { pair, rangePool } from '../../../../tests/support/routing-pools.ts';
import { outputFor } from '../graph/edge-curve.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { poseProblem } from '../graph/routing-problem.ts';
import { dualPointsOf, evaluateDualPoint } from './dual-point.ts';

const problem = poseProblem(
  prepareGraph([
    pair([1, 2], [10n ** 22n, 2n * 10n ** 22n]),
    rangePool(
      [1, 3],
      [
        [-6000, 6000, 10n ** 22n],
        [-600, 600, 10n ** 22n],
      ],
      { id: 1 },
    ),
    rangePool([2, 3], [[-12000, 6000, 10n ** 22n]], { id: 2, sqrtPriceX96: 56n << 90n }),
  ]),
  { source: 0, sink: 1, amount: 1e20, maxHops: 4 },
);

function pointAt(prices: readonly number[]) {
  const [point] = dualPointsOf(problem.graph);
  point.prices.set(prices);
  evaluateDualPoint(problem, point);
  return structuredClone(point);
}

describe('dualPointsOf', () => {
  it('clears the trades of an earlier search over other edges [Q31]', () => {
    expect(Math.max(...pointAt([1.9, 1, 1.9]).input)).toBeGreaterThan(0);
    for (const { input } of dualPointsOf(problem.graph)) expect(Math.max(...input)).toBe(0);
  });
});

describe('evaluateDualPoint', () => {
  it('lets an edge trade until its rate has come down to the ratio of prices [Q19]', () => {
    const { input, output } = pointAt([1.9, 1, 1.9]);
    const nudge = 1e15;
    const rate = (outputFor(problem.graph, 0, input[0]! + nudge) - output[0]!) / nudge;
    expect(rate).toBeCloseTo(1.9, 6);
    expect(output[0]).toBeCloseTo(outputFor(problem.graph, 0, input[0]!), -8);
    expect(input[1]).toBe(0);
  });

  it('has the excess of each token as its gradient [Q19]', () => {
    const prices = [1.9, 1, 1.85];
    const { excess } = pointAt(prices);
    for (const token of [0, 2]) {
      const nudge = prices[token]! * 1e-6;
      const above = pointAt(prices.with(token, prices[token]! + nudge)).value;
      const below = pointAt(prices.with(token, prices[token]! - nudge)).value;
      expect((above - below) / (2 * nudge) / excess[token]!).toBeCloseTo(1, 4);
    }
  });

  it('adds to the input what each trade earns at the prices, also beyond ticks [Q19]', () => {
    const prices = [1.7, 1, 1.3];
    const { value, input, output } = pointAt(prices);
    let earned = prices[0]! * problem.amount;
    for (const edge of problem.edges) {
      const gained = prices[problem.graph.to[edge]!]! * output[edge]!;
      earned += gained - prices[problem.graph.from[edge]!]! * input[edge]!;
    }
    expect(value / earned).toBeCloseTo(1, 12);
  });

  it('gives as stiffness how fast the traded value responds to a price', () => {
    const { input, stiffness } = pointAt([1.9, 1, 1.9]);
    const moved = pointAt([1.9 * (1 + 1e-7), 1, 1.9]);
    const answer = (1.9 * (input[0]! - moved.input[0]!)) / 1e-7;
    expect(answer / stiffness[0]!).toBeCloseTo(1, 5);
  });
});
