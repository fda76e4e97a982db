import { describe, expect, it } from 'vitest';
import { pair } from '../../../../tests/support/routing-pools.ts';
import { prepareGraph } from './routing-graph.ts';
import { poseProblem } from './routing-problem.ts';

const reserves = [10n ** 20n, 10n ** 20n] as const;
const chain = (...tokens: number[]) =>
  tokens
    .slice(1)
    .map((to, index) => pair([tokens[index] ?? 0, to], reserves, { id: 10 * to + index }));

function edgesFor(pools: ReturnType<typeof chain>, maxHops: number): number[] {
  const graph = prepareGraph(pools);
  return [...poseProblem(graph, { source: 0, sink: 1, amount: 1, maxHops }).edges];
}

describe('poseProblem', () => {
  const direct = pair([1, 2], reserves);

  it('leaves out what lies on no walk within the hop limit [Q18]', () => {
    const detour = chain(1, 3, 4, 5, 2);
    expect(edgesFor([direct, ...detour], 4)).toContain(2);
    expect(edgesFor([direct, ...detour], 3)).toEqual([0, 1]);
    expect(edgesFor([direct, ...detour], 1)).toEqual([0]);
  });

  it('leaves out dead ends, and what only leads to them', () => {
    expect(edgesFor([direct, ...chain(1, 3, 4)], 4)).toEqual([0, 1]);
  });

  it('keeps loops through the two tokens themselves', () => {
    expect(edgesFor([direct, pair([1, 2], reserves, { id: 1 })], 4)).toEqual([0, 1, 2, 3]);
  });

  it('selects the relevant edges once per graph, whatever the amount [Q31]', () => {
    const graph = prepareGraph([direct, ...chain(1, 3, 2)]);
    const edgesOf = (asked: object) =>
      poseProblem(graph, { source: 0, sink: 1, amount: 1, maxHops: 4, ...asked }).edges;
    expect(edgesOf({ amount: 7 })).toBe(edgesOf({}));
    expect(edgesOf({ maxHops: 1 })).toEqual(Int32Array.of(0));
    expect(edgesOf({ source: 1, sink: 0, maxHops: 1 })).toEqual(Int32Array.of(1));
  });

  it('leaves out pools that cannot trade', () => {
    expect(edgesFor([direct, pair([1, 2], [0n, 5n], { id: 1 })], 4)).toEqual([0, 1]);
  });
});
