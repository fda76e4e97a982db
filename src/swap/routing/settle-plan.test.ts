import { describe, expect, it } from 'vitest';
import { execute, pair, rangePool, token } from '../../../tests/support/routing-pools.ts';
import { prepareGraph } from './graph/routing-graph.ts';
import { poseProblem } from './graph/routing-problem.ts';
import { exactSingleWalks, settleFullPlan, settlePlan, settleWalks } from './settle-plan.ts';

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

describe('settleWalks', () => {
  it('lets the second walk through a pool find what the first left [Q18]', () => {
    const pools = [
      pair([1, 3], [whole, whole]),
      rangePool([2, 3], [[-600, 600, 9n * whole]], { id: 1 }),
      pair([2, 3], [whole, whole], { id: 2 }),
    ];
    const { paths, amountIn, amountOut } = settleWalks(prepareGraph(pools), [
      { walk: [0, 3], amountIn: 10n ** 20n },
      { walk: [0, 5], amountIn: 2n * 10n ** 20n },
    ]);
    const states = new Map(pools.map((pool) => [pool.address, pool]));
    const outputs = paths.map(({ hops, amountIn: share }) =>
      execute(
        states,
        hops.map(({ pool }) => pool),
        { tokenIn: token(1), amountIn: share },
      ),
    );
    expect(outputs).toEqual(paths.map((path) => path.amountOut));
    expect(amountIn).toBe(3n * 10n ** 20n);
    expect(amountOut).toBe(paths[0]!.amountOut + paths[1]!.amountOut);
    expect(paths[0]!.hops[1]).toMatchObject({
      zeroForOne: false,
      tokenIn: token(3),
      tokenOut: token(2),
      amountIn: paths[0]!.hops[0]!.amountOut,
    });
  });

  it('sends no more than the liquidity takes [Q18]', () => {
    const pool = rangePool([1, 2], [[-60, 60, whole]]);
    const graph = prepareGraph([pool]);
    const { paths, taken } = settleWalks(graph, [{ walk: [0], amountIn: whole }]);
    const most = paths[0]!.amountIn;
    expect(taken).toEqual([most]);
    expect(settleWalks(graph, [{ walk: [0], amountIn: most }]).paths[0]!.amountIn).toBe(most);
    expect(settleWalks(graph, [{ walk: [0], amountIn: most + 1n }]).paths[0]!.amountIn).toBe(most);
  });

  it('sends no more than a later pool takes, and hardly less [Q18]', () => {
    const pools = [pair([1, 2], [whole, whole]), rangePool([2, 3], [[-60, 60, whole]], { id: 1 })];
    const graph = prepareGraph(pools);
    const most = settleWalks(graph, [{ walk: [0, 2], amountIn: whole }]).paths[0]!.amountIn;
    const more = most + most / 10_000n;
    expect(settleWalks(graph, [{ walk: [0, 2], amountIn: more }]).paths[0]!.amountIn).toBeLessThan(
      more,
    );
  });

  it('fills a pair to the last unit it can count [Q18]', () => {
    const limit = (1n << 112n) - 1n;
    const graph = prepareGraph([pair([1, 2], [whole, whole])]);
    const { amountIn } = settleWalks(graph, [{ walk: [0], amountIn: 1n << 200n }]);
    expect(amountIn).toBeLessThanOrEqual(limit - whole);
    expect(amountIn).toBeGreaterThan(limit - limit / 1000n);
  });

  it('leaves out walks that give nothing', () => {
    const graph = prepareGraph([pair([1, 2], [whole, 10n ** 6n])]);
    const { paths, taken } = settleWalks(graph, [
      { walk: [0], amountIn: 1n },
      { walk: [0], amountIn: 0n },
    ]);
    expect(paths).toEqual([]);
    expect(taken).toEqual([0n, 0n]);
  });

  it('counts the initialized ticks that were crossed', () => {
    const pool = rangePool(
      [1, 2],
      [
        [-60, 60, whole],
        [-600, 600, whole],
      ],
    );
    const graph = prepareGraph([pool]);
    const crossedBy = (edge: number, amountIn: bigint) =>
      settleWalks(graph, [{ walk: [edge], amountIn }]).crossedTicks;
    expect(crossedBy(0, 10n ** 19n)).toBe(0);
    expect(crossedBy(0, 10n ** 20n)).toBe(1);
    expect(crossedBy(1, 10n ** 20n)).toBe(1);
  });

  it('counts a tick exactly at the price when the price falls, not when it rises', () => {
    const pool = rangePool(
      [1, 2],
      [
        [-60, 0, whole],
        [0, 60, whole],
      ],
    );
    const graph = prepareGraph([pool]);
    const crossedBy = (edge: number) =>
      settleWalks(graph, [{ walk: [edge], amountIn: 10n ** 18n }]).crossedTicks;
    expect(crossedBy(0)).toBe(1);
    expect(crossedBy(1)).toBe(0);
  });
});

const deepGraph = prepareGraph([
  pair([1, 2], [whole, whole]),
  rangePool([1, 2], [[-60, 60, 50n * whole]], { id: 1 }),
]);

function walksFor(amountIn: bigint) {
  const amount = Number(amountIn);
  const problem = poseProblem(deepGraph, { source: 0, sink: 1, amount, maxHops: 1 });
  return exactSingleWalks(problem, amountIn);
}

describe('exactSingleWalks', () => {
  it('finds what gives most in whole units [Q18]', () => {
    // A concentrated pool keeps a unit of input for its fee, a pair at most one of output.
    expect(walksFor(3n)).toEqual([[0]]);
    expect(walksFor(10n ** 20n)).toEqual([[2]]);
  });

  it('finds nothing where nothing comes out', () => {
    expect(walksFor(1n)).toEqual([]);
  });
});
