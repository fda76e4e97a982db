import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestFlow, type FlowPool } from '../../../tests/support/best-flow.ts';
import {
  arbitraryPools,
  cutAround,
  pair,
  rangePool,
  token,
} from '../../../tests/support/routing-pools.ts';
import { boundOutput, findRoute, type RouteRequest } from './find-route.ts';
import { prepareGraph } from './graph/routing-graph.ts';

type Question = Pick<RouteRequest, 'tokenIn' | 'tokenOut' | 'amountIn'>;

/** Every bound that is given for a question over these pools. */
function boundsOf(pools: readonly FlowPool[], question: Question) {
  const graph = prepareGraph(pools);
  const limits = [{}, { maxHops: 1 }, { maxHops: 3, maxPaths: 1 }, { budget: 5 }];
  const routes = limits.map((limit) => findRoute(graph, { ...question, ...limit }));
  return [
    ...routes.flatMap((route) => (route.kind === 'route' ? [route.optimality] : [])),
    boundOf(pools, question),
  ];
}

function boundOf(pools: readonly FlowPool[], question: Question) {
  const { output, openEnds } = boundOutput(prepareGraph(pools), question);
  return { upperBound: BigInt(Math.floor(output)), openEnds };
}

describe('the bound', () => {
  const deep = [10n ** 26n, 10n ** 26n] as const;
  const shallow = [10n ** 21n, 10n ** 21n] as const;
  const question = { tokenIn: token(1), tokenOut: token(2), amountIn: 10n ** 21n };

  it('counts pools that only longer ways than any route can reach [Q48]', () => {
    const detour = [3, 4, 5, 6, 7, 8, 9, 2].map((to, index) =>
      pair([index === 0 ? 1 : index + 2, to], deep, { id: index + 1 }),
    );
    const pools = [pair([1, 2], shallow), ...detour];
    const flow = bestFlow(pools, question);
    expect(flow).toBeGreaterThan(bestFlow(pools.slice(0, 1), question));
    for (const { upperBound } of boundsOf(pools, question)) {
      expect(upperBound).toBeGreaterThanOrEqual(flow);
    }
  });

  it('is exceeded by no flow over random pools, whatever the search may use [Q48]', () => {
    let flows = 0;
    fc.assert(
      fc.property(arbitraryPools(7, 14), fc.integer({ min: 900, max: 2300 }), (pools, size) => {
        const asked = { ...question, amountIn: BigInt(Math.floor(10 ** (size / 100))) };
        const flow = bestFlow(pools as FlowPool[], asked);
        if (flow === 0n) return;
        flows += 1;
        for (const { upperBound } of boundsOf(pools as FlowPool[], asked)) {
          expect(upperBound).toBeGreaterThanOrEqual(flow);
        }
      }),
      { seed: 48, numRuns: 60 },
    );
    expect(flows).toBeGreaterThan(20);
  });

  it('names each pool that would give more in ticks that were not read [Q48]', () => {
    const whole = rangePool([1, 2], [[-60_000, 60_000, 10n ** 22n]]);
    const inPart = cutAround(whole, 600);
    const [bound] = boundsOf([inPart], question);
    expect(bound?.openEnds).toEqual([{ id: whole.id, zeroForOne: true }]);
    expect(bound?.upperBound).toBeLessThan(bestFlow([whole], question));
    const small = { ...question, amountIn: 10n ** 18n };
    expect(boundsOf([inPart], small)[0]?.openEnds).toEqual([]);
  });

  it('names a pool of which nothing was read but the end [Q48]', () => {
    const far = rangePool([1, 2], [[-60_000, -6_000, 10n ** 24n]], { id: 1 });
    const pools = [pair([1, 2], shallow), cutAround(far, 600)];
    const small = { ...question, amountIn: 10n ** 18n };
    expect(boundOf(pools, small).openEnds).toEqual([]);
    expect(boundOf(pools, question).openEnds).toEqual([{ id: far.id, zeroForOne: true }]);
  });
});
