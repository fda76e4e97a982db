import { describe, expect, it } from 'vitest';
import { pair } from '../../../../tests/support/routing-pools.ts';
import { findBestWalks } from './best-walks.ts';
import { prepareGraph } from './routing-graph.ts';

const reserves = [10n ** 20n, 10n ** 20n] as const;
// Tokens are numbered 1, 2, 3, 4 in this order, so that edge 2i leads from the first to the second.
const graph = prepareGraph([
  pair([1, 2], reserves),
  pair([2, 3], reserves, { id: 1 }),
  pair([1, 3], reserves, { id: 2 }),
  pair([3, 4], reserves, { id: 3 }),
  pair([1, 3], reserves, { id: 4 }),
]);
const gains = [2, 1, 5, 1, 3, 1, 1, 1, 2, 1];

function search(options: { root: number; isBackward?: boolean; hops?: number }) {
  return findBestWalks({
    graph,
    edges: [...graph.from.keys()],
    hops: 3,
    start: 1,
    step: (edge, value) => (edge === 7 ? 0 : value * gains[edge]!),
    ...options,
  });
}

describe('findBestWalks', () => {
  it('finds the best for each number of hops [Q18]', () => {
    const walks = search({ root: 0 });
    expect(walks.valueAt(2, 1)).toBe(3);
    expect(walks.walkTo(2, 1)).toEqual([4]);
    expect(walks.valueAt(2, 2)).toBe(10);
    expect(walks.walkTo(2, 2)).toEqual([0, 2]);
    expect(walks.bestTo(3)).toEqual({ value: 10, walk: [0, 2, 6] });
  });

  it('never takes a pool twice, nor more hops than it may', () => {
    const walks = search({ root: 0, hops: 2 });
    expect(walks.bestTo(3)).toEqual({ value: 3, walk: [4, 6] });
    expect(walks.valueAt(3, 1)).toBe(0);
    expect(walks.valueAt(0, 2)).toBe(3);
    expect(walks.walkTo(0, 2)).not.toEqual([4, 5]);
  });

  it('gives walks in the order of trade also when it searches from the end', () => {
    const walks = search({ root: 2, isBackward: true });
    expect(walks.valueAt(0, 2)).toBe(10);
    expect(walks.walkTo(0, 2)).toEqual([0, 2]);
  });

  it('does not use an edge that the step function rejects', () => {
    expect(search({ root: 3 }).bestTo(2)).toBeUndefined();
  });
});
