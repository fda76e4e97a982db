import { describe, expect, it } from 'vitest';
import { pair } from '../../../../tests/support/routing-pools.ts';
import { prepareGraph } from './routing-graph.ts';
import { poseProblem } from './routing-problem.ts';

const reserves = [10n ** 20n, 10n ** 20n] as const;
const chain = (...tokens: number[]) =>
  tokens
    .slice(1)
    .map((to, index) => pair([tokens[index] ?? 0, to], reserves, { id: 10 * to + index }));

function edgesFor(pools: ReturnType<typeof chain>): number[] {
  const graph = prepareGraph(pools);
  return [...poseProblem(graph, { source: 0, sink: 1, amount: 1, maxHops: 4 }).edges];
}

describe('poseProblem', () => {
  const direct = pair([1, 2], reserves);

  it('keeps what lies on any walk, however long, but leaves out what cannot lead to the end [Q48]', () => {
    const detour = chain(1, 3, 4, 5, 6, 7, 8, 9, 2);
    expect(edgesFor([direct, ...detour])).toHaveLength(18);
    const oneWay = pair([1, 3], [10n ** 20n, 0n], { id: 1 });
    expect(edgesFor([direct, oneWay, pair([2, 3], reserves, { id: 2 })])).toEqual([0, 1]);
  });

  it('leaves out dead ends, and what only leads to them', () => {
    expect(edgesFor([direct, ...chain(1, 3, 4)])).toEqual([0, 1]);
  });

  it('keeps loops through the two tokens themselves', () => {
    expect(edgesFor([direct, pair([1, 2], reserves, { id: 1 })])).toEqual([0, 1, 2, 3]);
  });

  it('selects the relevant edges once per graph, whatever the amount [Q31]', () => {
    const graph = prepareGraph([direct, ...chain(1, 3, 2)]);
    const edgesOf = (asked: object) =>
      poseProblem(graph, { source: 0, sink: 1, amount: 1, maxHops: 4, ...asked }).edges;
    expect(edgesOf({ amount: 7 })).toBe(edgesOf({}));
    expect(edgesOf({ source: 1, sink: 0 })).not.toBe(edgesOf({}));
  });

  it('leaves out pools that cannot trade', () => {
    expect(edgesFor([direct, pair([1, 2], [0n, 5n], { id: 1 })])).toEqual([0, 1]);
  });
});

const whole = 10n ** 22n;

describe('spotPrices', () => {
  it('values each token along its best walk, fees counted', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      pair([1, 3], [whole, 4n * whole], { id: 1 }),
      pair([2, 3], [whole, 2n * whole], { id: 2 }),
    ]);
    const problem = poseProblem(graph, { source: 0, sink: 1, amount: 1, maxHops: 4 });
    const [first, sink, third] = problem.spot;
    expect(sink).toBe(1);
    expect(third).toBeCloseTo(0.997 / 2, 12);
    expect(first).toBeCloseTo((4 * 0.997 * 0.997) / 2, 12);
  });

  it('holds the sink at one, also where a closed walk from it gains', () => {
    const graph = prepareGraph([
      pair([1, 2], [whole, whole]),
      pair([1, 2], [whole, 2n * whole], { id: 1 }),
    ]);
    const problem = poseProblem(graph, { source: 0, sink: 1, amount: 1, maxHops: 4 });
    expect(problem.spot[1]).toBe(1);
  });
});
