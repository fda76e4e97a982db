import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allWalks,
  arbitraryPools,
  execute,
  pair,
  rangePool,
  token,
} from '../../../../tests/support/routing-pools.ts';
import { simulateSwap } from '../../pools/pool-kinds.ts';
import { createBudget } from '../budget.ts';
import { prepareGraph } from '../graph/routing-graph.ts';
import { poseProblem } from '../graph/routing-problem.ts';
import { solveDual } from './solve-dual.ts';
import { upperBound } from './solve-problem.ts';

describe('upperBound', () => {
  it('is exceeded by no routing, whatever the prices [Q19]', () => {
    const portion = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(
        arbitraryPools(4, 6),
        fc.integer({ min: 0, max: 2200 }),
        fc.array(fc.tuple(portion, portion), { minLength: 3, maxLength: 6 }),
        fc.integer({ min: 0, max: 6 }),
        (pools, size, choices, steps) => {
          const graph = prepareGraph(pools);
          const source = graph.tokenNumbers.get(token(1));
          const sink = graph.tokenNumbers.get(token(2));
          if (source === undefined || sink === undefined) return;
          const amountIn = BigInt(Math.floor(10 ** (size / 100)));
          const problem = poseProblem(graph, {
            source,
            sink,
            amount: Number(amountIn),
            maxHops: 4,
          });
          const prices = problem.spot;
          if (!(prices[source]! > 0)) return;
          const point = solveDual(problem, { prices, budget: createBudget(steps) });

          const walks = allWalks(pools, { from: token(1), to: token(2), maxHops: 4 });
          const states = new Map(pools.map((pool) => [pool.address, pool]));
          let left = amountIn;
          let received = 0n;
          for (const [which, part] of choices) {
            const walk = walks[Math.floor((which / 1001) * walks.length)];
            const share = (amountIn * BigInt(part)) / 1000n;
            if (walk === undefined || share > left || share === 0n) continue;
            const output = execute(states, walk, { tokenIn: token(1), amountIn: share });
            if (output === undefined) continue;
            left -= share;
            received += output;
          }
          expect(Number(received)).toBeLessThanOrEqual(upperBound(problem, point.prices));
        },
      ),
      { seed: 19, numRuns: 400 },
    );
  });

  it('lies hardly above what a trade over many ticks gives [Q19]', () => {
    const steps = Array.from({ length: 20 }, (_, step) => 60 * (step + 1));
    const pool = rangePool(
      [1, 2],
      steps.map((width) => [-width, width, 10n ** 22n] as const),
    );
    const graph = prepareGraph([pool]);
    const amountIn = 2n * 10n ** 21n;
    const problem = poseProblem(graph, { source: 0, sink: 1, amount: 2e21, maxHops: 4 });
    const start = { prices: problem.spot, budget: createBudget(50) };
    const bound = upperBound(problem, solveDual(problem, start).prices);
    const { amountOut, shortfall } = simulateSwap(pool, { zeroForOne: true, amountIn });
    expect(shortfall).toBeUndefined();
    expect(bound / Number(amountOut)).toBeGreaterThanOrEqual(1);
    expect(bound / Number(amountOut)).toBeLessThan(1 + 1e-11);
  });

  it('stays sharp for a small trade in a deep pool [Q19]', () => {
    const deep = 10n ** 26n;
    const graph = prepareGraph([pair([1, 2], [deep, deep])]);
    const problem = poseProblem(graph, { source: 0, sink: 1, amount: 1e9, maxHops: 4 });
    const prices = solveDual(problem, {
      prices: problem.spot,
      budget: createBudget(50),
    }).prices;
    expect(upperBound(problem, prices)).toBeGreaterThanOrEqual(997_000_000);
    expect(upperBound(problem, prices)).toBeLessThan(997_000_000.01);
  });
});
