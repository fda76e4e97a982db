import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allWalks,
  arbitraryPools,
  execute,
  pair,
  rangePool,
  token,
} from '../../../tests/support/routing-pools.ts';
import { type PoolState, poolId } from '../pools/pool.ts';
import { findRoute, type Route, type RouteRequest } from './find-route.ts';
import { prepareGraph } from './graph/routing-graph.ts';
import type { GasCosts } from './plans/plan-costs.ts';

const whole = 10n ** 22n;

function ask(pools: readonly PoolState[], amountIn: bigint, request: Partial<RouteRequest> = {}) {
  return findRoute(prepareGraph(pools), {
    tokenIn: token(1),
    tokenOut: token(2),
    amountIn,
    ...request,
  });
}

function routeOf(...asked: Parameters<typeof ask>): Route {
  const found = ask(...asked);
  if (found.kind === 'no-route') throw new Error(`no route: ${found.reason}`);
  return found;
}

/** What the route gives when its paths are executed one after the other. */
function executed(pools: readonly PoolState[], { paths }: Route): bigint | undefined {
  const states = new Map(pools.map((pool) => [pool.address, pool]));
  let total = 0n;
  for (const { hops, amountIn } of paths) {
    const walk = hops.map(({ pool }) => pool);
    const output = execute(states, walk, { tokenIn: token(1), amountIn });
    if (output === undefined) return undefined;
    total += output;
  }
  return total;
}

/** The most that a single path gives without visiting a token twice. */
function bestSinglePath(pools: readonly PoolState[], amountIn: bigint, maxHops = 4): bigint {
  let best = 0n;
  for (const walk of allWalks(pools, { from: token(1), to: token(2), maxHops })) {
    const visited = new Set(walk.flatMap(({ token0, token1 }) => [token0, token1]));
    if (visited.size !== walk.length + 1) continue;
    const states = new Map(pools.map((pool) => [pool.address, pool]));
    const output = execute(states, walk, { tokenIn: token(1), amountIn }) ?? 0n;
    if (output > best) best = output;
  }
  return best;
}

/** The best output after gas of one path, or of two that share the amount in tenths. */
function bestOfTwoPaths(pools: readonly PoolState[], amountIn: bigint, gas: GasCosts): bigint {
  const walks = allWalks(pools, { from: token(1), to: token(2), maxHops: 3 });
  const costOf = (walk: readonly PoolState[]) =>
    walk.reduce((sum, { kind }) => sum + (gas.hops[kind] ?? 0), gas.path);
  let best = 0n;
  for (const [index, first] of walks.entries()) {
    for (const second of walks.slice(index + 1)) {
      for (let tenths = 0n; tenths <= 10n; tenths++) {
        const states = new Map(pools.map((pool) => [pool.address, pool]));
        let net: bigint | undefined = 0n;
        for (const [walk, share] of [
          [first, (amountIn * tenths) / 10n],
          [second, amountIn - (amountIn * tenths) / 10n],
        ] as const) {
          if (share === 0n || net === undefined) continue;
          const output = execute(states, walk, { tokenIn: token(1), amountIn: share });
          net = output === undefined ? undefined : net + output - BigInt(Math.ceil(costOf(walk)));
        }
        if (net !== undefined && net > best) best = net;
      }
    }
  }
  return best;
}

const network = [
  pair([1, 2], [whole, whole]),
  rangePool(
    [1, 2],
    [
      [-600, 600, 5n * whole],
      [-60, 60, 20n * whole],
    ],
    { id: 1 },
  ),
  pair([1, 3], [whole, 4n * whole], { id: 2 }),
  rangePool([2, 3], [[7200, 20400, 20n * whole]], { id: 3, sqrtPriceX96: 1n << 97n }),
  rangePool([1, 4], [[-1200, 1200, 9n * whole]], { id: 4, fee: 500, tickSpacing: 10 }),
  pair([2, 4], [2n * whole, 2n * whole], { id: 5 }),
];

describe('findRoute', () => {
  it('splits a trade over all pool kinds and several hops, almost perfectly [Q18] [Q19]', () => {
    const route = routeOf(network, 10n ** 21n);
    expect(route.paths.length).toBeGreaterThanOrEqual(4);
    expect(new Set(route.paths.map(({ hops }) => hops.length))).toEqual(new Set([1, 2]));
    expect(route.optimality.gapBps).toBeLessThan(0.001);
    expect(route.isPartial).toBe(false);
  });

  it('settles to the unit in the order of execution [Q18]', () => {
    const route = routeOf(network, 10n ** 21n);
    expect(executed(network, route)).toBe(route.amountOut);
    expect(route.paths.reduce((sum, path) => sum + path.amountIn, 0n)).toBe(10n ** 21n);
  });

  it('promises only what holds over random pools and amounts [Q18] [Q19]', () => {
    fc.assert(
      fc.property(
        arbitraryPools(4, 7),
        fc.integer({ min: 0, max: 2200 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        (pools, size, maxHops, maxPaths) => {
          const amountIn = BigInt(Math.floor(10 ** (size / 100)));
          const found = ask(pools, amountIn, { maxHops, maxPaths });
          const single = bestSinglePath(pools, amountIn, maxHops);
          if (found.kind === 'no-route') {
            expect(single).toBe(0n);
            return;
          }
          expect(found.paths.length).toBeLessThanOrEqual(maxPaths);
          for (const { hops } of found.paths) expect(hops.length).toBeLessThanOrEqual(maxHops);
          expect(found.paths.reduce((sum, path) => sum + path.amountIn, 0n)).toBe(found.amountIn);
          expect(found.amountIn === amountIn || found.isPartial).toBe(true);
          expect(executed(pools, found)).toBe(found.amountOut);
          // Input that would bring next to nothing is no part of a partial route [Q3].
          const least = found.isPartial ? single - single / 1_000_000n : single;
          expect(found.amountOut).toBeGreaterThanOrEqual(least);
          expect(found.amountOut).toBeLessThanOrEqual(found.optimality.upperBound);
        },
      ),
      { seed: 18, numRuns: 150 },
    );
  });

  it('comes near its bound where no closed walk gains [Q19]', () => {
    const gaps: number[] = [];
    fc.assert(
      fc.property(
        arbitraryPools(4, 7, { disagreement: 0.00004 }),
        fc.integer({ min: 1200, max: 1800 }),
        (pools, size) => {
          const found = ask(pools, BigInt(Math.floor(10 ** (size / 100))));
          // With few units of output, or with all liquidity used up, rounding causes the gap.
          if (found.kind === 'no-route' || found.isPartial || found.amountOut < 10n ** 9n) return;
          gaps.push(found.optimality.gapBps);
        },
      ),
      { seed: 19, numRuns: 150 },
    );
    gaps.sort((left, right) => left - right);
    expect(gaps.length).toBeGreaterThan(80);
    expect(gaps[Math.floor(gaps.length / 2)]).toBeLessThan(1e-6);
    expect(gaps.at(-1)).toBeLessThan(4);
  });

  it('answers the same to the same question', () => {
    expect(ask(network, 10n ** 21n)).toEqual(ask(network, 10n ** 21n));
  });

  it('uses one pair of a pool of several tokens, and bounds any choice of it [Q19] [Q27]', () => {
    const group = poolId(token(0x2000));
    const deep = 10n ** 25n;
    const shared = [
      { ...pair([1, 2], [deep, deep], { id: 1 }), group },
      { ...pair([2, 3], [deep, deep], { id: 2 }), group },
      { ...pair([1, 3], [deep, deep], { id: 3 }), group },
    ];
    const apart = [pair([1, 2], [deep, deep], { id: 4 }), pair([2, 3], [deep, deep], { id: 5 })];
    const request = { tokenIn: token(1), tokenOut: token(3), amountIn: 10n ** 23n };
    const found = findRoute(prepareGraph([...shared, ...apart]), request);
    if (found.kind === 'no-route') throw new Error(found.reason);
    const used = new Set(found.paths.flatMap(({ hops }) => hops.map(({ pool }) => pool)));
    expect([...used].filter((pool) => pool.group === group)).toHaveLength(1);
    expect(found.paths.length).toBe(2);
    for (const chosen of shared) {
      const alone = findRoute(prepareGraph([chosen, ...apart]), request);
      if (alone.kind === 'no-route') throw new Error(alone.reason);
      expect(alone.amountOut).toBeLessThanOrEqual(found.amountOut);
      expect(alone.amountOut).toBeLessThanOrEqual(found.optimality.upperBound);
    }
  });

  describe('with gas', () => {
    const gas = {
      path: 1e17,
      hops: { 'constant-product': 1e17, concentrated: 2e17 },
      crossedTick: 0,
    };

    it('says what gas costs and what is left [Q19]', () => {
      const { paths, gasCost, amountOut, netAmountOut } = routeOf(network, 10n ** 21n, { gas });
      const cost = paths.reduce((sum, { hops }) => {
        const inRange = hops.filter(({ pool }) => pool.kind === 'concentrated').length;
        return sum + 1e17 + 1e17 * (hops.length + inRange);
      }, 0);
      expect(Number(gasCost)).toBeCloseTo(cost, -3);
      expect(netAmountOut).toBe(amountOut - gasCost);
    });

    it('takes fewer paths the higher the gas price is, and one when it is very high [Q19]', () => {
      const pathsAt = (factor: number) => {
        const hops = Object.entries(gas.hops).map(([kind, cost]) => [kind, cost * factor]);
        const scaled = { ...gas, path: gas.path * factor, hops: Object.fromEntries(hops) };
        return routeOf(network, 10n ** 21n, { gas: scaled }).paths.length;
      };
      const counts = [0, 0.1, 1, 10, 100].map(pathsAt);
      expect(counts).toEqual(counts.toSorted((left, right) => right - left));
      expect(counts[0]).toBeGreaterThan(counts[2]!);
      expect(counts[4]).toBe(1);
    });

    it('leaves at least what the free route would leave [Q19]', () => {
      const free = routeOf(network, 10n ** 21n);
      const freeCost = free.paths.reduce((sum, { hops }) => sum + 1e17 + hops.length * 1e17, 0);
      const { netAmountOut } = routeOf(network, 10n ** 21n, { gas });
      expect(Number(netAmountOut)).toBeGreaterThan(Number(free.amountOut) - 2 * freeCost);
      expect(netAmountOut).toBeGreaterThanOrEqual(
        bestSinglePath(network, 10n ** 21n) - 5n * 10n ** 17n,
      );
    });

    it('leaves at least what any two paths leave that split in tenths [Q19]', () => {
      fc.assert(
        fc.property(
          arbitraryPools(3, 5, { disagreement: 0.005 }),
          fc.integer({ min: 1400, max: 1900 }),
          fc.integer({ min: -50, max: -20 }),
          (pools, size, dearness) => {
            const amountIn = BigInt(Math.floor(10 ** (size / 100)));
            const free = ask(pools, amountIn);
            if (free.kind === 'no-route' || free.isPartial || free.amountOut < 10n ** 8n) return;
            const hop = Number(free.amountOut) * 10 ** (dearness / 10);
            const costs = {
              path: hop / 2,
              hops: { 'constant-product': hop, concentrated: 2 * hop },
              crossedTick: 0,
            };
            const found = routeOf(pools, amountIn, { gas: costs });
            const best = bestOfTwoPaths(pools, amountIn, costs);
            const tolerance = found.amountOut / 10n ** 9n + 2n;
            expect(found.netAmountOut).toBeGreaterThanOrEqual(best - tolerance);
          },
        ),
        { seed: 4, numRuns: 60 },
      );
    });

    it('prefers the cheaper kind of pool for a small trade', () => {
      const pools = [
        pair([1, 2], [whole, whole]),
        rangePool([1, 2], [[-600, 600, 50n * whole]], { id: 1, fee: 500 }),
      ];
      expect(routeOf(pools, 10n ** 19n).paths[0]!.hops[0]!.pool).toBe(pools[1]);
      expect(routeOf(pools, 10n ** 19n, { gas }).paths[0]!.hops[0]!.pool).toBe(pools[0]);
    });
  });

  describe('where the pools end', () => {
    it('fills what can be filled, and no leg leaves the liquidity [Q18]', () => {
      const pools = [
        rangePool([1, 2], [[-60, 60, whole]], { fee: 100, tickSpacing: 1 }),
        rangePool([1, 3], [[-60, 60, whole]], { id: 1, fee: 100, tickSpacing: 1 }),
        rangePool([2, 3], [[-60, 60, whole / 2n]], { id: 2, fee: 100, tickSpacing: 1 }),
      ];
      const route = routeOf(pools, 10n * whole);
      expect(route.isPartial).toBe(true);
      expect(route.amountIn).toBeLessThan(10n ** 20n);
      expect(executed(pools, route)).toBe(route.amountOut);
      expect(route.optimality.gapBps).toBeLessThan(0.01);
    });

    it('comes near its bound also when it fills all there is [Q19]', () => {
      const gaps: number[] = [];
      fc.assert(
        fc.property(arbitraryPools(4, 8, { disagreement: 0.00004 }), (all) => {
          const pools = all.filter(({ kind }) => kind === 'concentrated');
          const found = ask(pools, 10n ** 30n);
          if (found.kind === 'no-route' || found.amountOut < 10n ** 9n) return;
          expect(executed(pools, found)).toBe(found.amountOut);
          gaps.push(found.optimality.gapBps);
        }),
        { seed: 3, numRuns: 150 },
      );
      expect(gaps.length).toBeGreaterThan(60);
      expect(Math.max(...gaps)).toBeLessThan(0.1);
    });

    it('fills the same however much more is offered, and takes no more for it [Q3]', () => {
      const scarce = rangePool([2, 3], [[-60, 60, whole / 50n]], { id: 100 });
      let filled = 0;
      fc.assert(
        fc.property(arbitraryPools(5, 12, { disagreement: 0.00004 }), (all) => {
          const others = all.filter(({ token0, token1 }) => ![token0, token1].includes(token(2)));
          const pools = [...others, scarce];
          const known = ask(pools, whole / 10n);
          if (known.kind === 'no-route' || !known.isPartial) return;
          filled += 1;
          for (let amountIn = whole; amountIn < 1n << 120n; amountIn *= 50n) {
            const route = routeOf(pools, amountIn);
            expect(executed(pools, route)).toBe(route.amountOut);
            expect(Number(route.amountOut) / Number(known.amountOut)).toBeGreaterThan(1 - 1e-6);
            expect(Number(route.amountIn) / Number(known.amountIn)).toBeLessThan(1.001);
          }
        }),
        { seed: 3, numRuns: 40 },
      );
      expect(filled).toBeGreaterThan(20);
    });

    it('gives no less for more, up to amounts beyond all pools [Q3]', () => {
      fc.assert(
        fc.property(arbitraryPools(4, 8), (pools) => {
          const graph = prepareGraph(pools);
          let most = 0;
          for (let digits = 6; digits < 36; digits += 0.75) {
            const amountIn = BigInt(Math.floor(10 ** digits));
            const found = findRoute(graph, { tokenIn: token(1), tokenOut: token(2), amountIn });
            if (found.kind === 'no-route') continue;
            const amountOut = Number(found.amountOut);
            expect(amountOut).toBeGreaterThanOrEqual(most * (1 - 1e-5));
            most = Math.max(most, amountOut);
          }
        }),
        { seed: 3, numRuns: 30 },
      );
    });

    it('goes on in other pools when one is empty', () => {
      const pools = [
        rangePool([1, 2], [[-60, 60, whole]], { fee: 100, tickSpacing: 1 }),
        pair([1, 2], [whole, whole], { id: 1 }),
      ];
      const route = routeOf(pools, 10n ** 21n);
      expect(route.isPartial).toBe(false);
      expect(route.paths).toHaveLength(2);
      expect(route.optimality.gapBps).toBeLessThan(0.001);
    });

    it('does not guess beyond the ticks that were read', () => {
      const pool = { ...rangePool([1, 2], [[-6000, 6000, whole]]), lowestKnownTick: -15360 };
      const known = { ...pool, lowestKnownTick: 0, ticks: [] };
      expect(routeOf([pool], 10n ** 19n).isPartial).toBe(false);
      expect(ask([known], 10n ** 19n)).toEqual({ kind: 'no-route', reason: 'not-connected' });
    });

    it('fills a pair up to the maximum of its reserve', () => {
      const route = routeOf([pair([1, 2], [whole, whole])], 1n << 200n);
      expect(route.isPartial).toBe(true);
      expect(route.amountOut).toBeGreaterThan(whole - whole / 1000n);
    });
  });

  describe('with very small amounts', () => {
    it('finds the best single path in whole units [Q18]', () => {
      const pools = [
        pair([1, 2], [whole, whole]),
        rangePool([1, 2], [[-600, 600, 50n * whole]], { id: 1 }),
      ];
      expect(routeOf(pools, 3n).amountOut).toBe(2n);
      expect(routeOf(pools, 3n).paths).toHaveLength(1);
    });

    it('says so when nothing comes out', () => {
      expect(ask(network, 1n)).toEqual({ kind: 'no-route', reason: 'no-output' });
    });

    it('does not split what rounding would eat', () => {
      const pools = [0, 1, 2, 3].map((id) => pair([1, 2], [10n ** 9n, 10n ** 4n], { id }));
      const { paths } = routeOf(pools, 10n ** 6n);
      expect(paths).toHaveLength(1);
    });
  });

  describe('where closed walks gain', () => {
    const pools = [
      pair([1, 2], [whole, whole]),
      pair([2, 3], [whole, whole], { id: 1 }),
      pair([2, 3], [whole, 2n * whole], { id: 2 }),
    ];

    it('routes through the profitable loop [Q18]', () => {
      const route = routeOf(pools, 10n ** 20n);
      expect(route.paths.some(({ hops }) => hops.length === 3)).toBe(true);
      expect(route.amountOut).toBeGreaterThan((12n * 10n ** 20n) / 10n);
      expect(executed(pools, route)).toBe(route.amountOut);
    });

    it('includes in its bound what only flash-borrowed tokens could gain [Q19]', () => {
      const route = routeOf(pools, 10n ** 18n);
      expect(route.optimality.upperBound).toBeGreaterThan(10n * route.amountOut);
    });
  });

  describe('where there is no route', () => {
    it.each([
      ['the token is in no pool', [pair([1, 3], [whole, whole])], 'unknown-token'],
      [
        'no walk connects the tokens',
        [pair([1, 3], [whole, whole]), pair([2, 4], [whole, whole])],
        'not-connected',
      ],
      ['the only pool is empty', [rangePool([1, 2], [])], 'not-connected'],
    ] as const)('says why: %s', (_, empty, reason) => {
      expect(ask(empty, 10n ** 18n)).toEqual({ kind: 'no-route', reason });
    });

    it('respects the hop limit exactly [Q18]', () => {
      const chain = [pair([1, 3], [whole, whole]), pair([2, 3], [whole, whole], { id: 1 })];
      expect(ask(chain, 10n ** 18n, { maxHops: 1 }).kind).toBe('no-route');
      expect(ask(chain, 10n ** 18n, { maxHops: 2 }).kind).toBe('route');
    });
  });

  it('answers within its budget, with a worse route and a valid bound, and says so [Q19] [Q50]', () => {
    const hasty = routeOf(network, 10n ** 21n, { budget: 1 });
    const patient = routeOf(network, 10n ** 21n);
    expect(hasty.steps).toBe(1);
    expect([hasty.isCutShort, patient.isCutShort]).toEqual([true, false]);
    expect(hasty.optimality.upperBound).toBeGreaterThanOrEqual(patient.optimality.upperBound);
    expect(hasty.amountOut).toBeLessThanOrEqual(patient.optimality.upperBound);
  });
});
