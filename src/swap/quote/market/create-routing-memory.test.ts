import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../tests/support/fake-clock.ts';
import { pair } from '../../../../tests/support/routing-pools.ts';
import { createRoutingMemory } from './create-routing-memory.ts';

const reserves = [10n ** 20n, 10n ** 20n] as const;
const states = [pair([1, 2], reserves), pair([2, 3], reserves, { id: 1 })];

describe('createRoutingMemory', () => {
  it('prepares the same states once [Q31]', () => {
    const { graphOf } = createRoutingMemory();
    expect(graphOf([...states])).toBe(graphOf([...states]));
  });

  it('distinguishes markets that differ only in the middle, asked in turn [Q31]', () => {
    const { graphOf } = createRoutingMemory();
    const markets = [2, 3].map((id) => states.toSpliced(1, 0, pair([1, 3], reserves, { id })));
    const graphs = markets.map(graphOf);
    for (const [index, market] of markets.entries()) expect(graphOf(market)).toBe(graphs[index]);
  });

  it('prepares states again that come from another block or read [Q16]', () => {
    const { graphOf } = createRoutingMemory();
    const [first, second] = states as [(typeof states)[number], (typeof states)[number]];
    const before = graphOf([first, second]);
    for (const changed of [
      [{ ...first }, second],
      [first, { ...second }],
    ]) {
      expect(graphOf(changed).pools).toEqual(before.pools);
      expect(graphOf(changed)).not.toBe(before);
    }
    expect(graphOf([second, first])).not.toBe(before);
  });

  it('selects the states of a list of pools once [Q31]', () => {
    const { graphOf, graphWithin } = createRoutingMemory();
    let looked = 0;
    const look = () => {
      looked += 1;
      return states;
    };
    const pools = states.map((state) => ({ state }));
    const graph = graphWithin(pools, 'all', look);
    expect(graphWithin(pools, 'all', look)).toBe(graph);
    expect([looked, graph]).toEqual([1, graphOf(states)]);
    expect(graphWithin(pools, 'first', () => states.slice(0, 1)).pools).toHaveLength(1);
    graphWithin([...pools], 'all', look);
    expect(looked).toBe(2);
  });

  it('takes the curves of pools that did not change from the block before [Q31]', () => {
    const { graphOf } = createRoutingMemory();
    const [first, second] = states as [(typeof states)[number], (typeof states)[number]];
    const before = graphOf(states);
    const after = graphOf([
      { ...first, blockNumber: first.blockNumber + 1n },
      { ...pair([2, 3], [10n ** 20n, 10n ** 19n], { id: 1 }), blockNumber: first.blockNumber + 1n },
    ]);
    expect(after).not.toBe(before);
    expect(after.curves[0]).toBe(before.curves[0]);
    expect(after.curves[2]).not.toEqual(before.curves[2]);
    expect(graphOf([first, { ...second, token1: first.token0 }]).curves[2]).not.toBe(
      before.curves[2],
    );
  });

  it('yields to the event loop while it prepares curves [Q31]', async () => {
    const { learn, graphOf } = createRoutingMemory();
    let now = 0;
    let turns = 0;
    const clock = {
      ...createFakeClock(),
      elapsed: () => (now += 3),
      turn: async () => {
        turns += 1;
      },
    };
    const many = Array.from({ length: 40 }, (_, id) => pair([1, 2], reserves, { id }));
    await learn(many, clock);
    expect(turns).toBe(20);
    await learn(many, clock);
    expect(graphOf(many).pools).toHaveLength(40);
  });

  it('forgets the graphs of a block when a newer one comes [N12]', () => {
    const { graphOf } = createRoutingMemory();
    const before = graphOf(states);
    graphOf(states.map((state) => ({ ...state, blockNumber: state.blockNumber + 1n })));
    expect(graphOf(states)).not.toBe(before);
  });

  it('computes a figure of a graph once, and of another graph again [Q31]', () => {
    const { graphOf, figureOf } = createRoutingMemory();
    let computed = 0;
    const ask = (graph: ReturnType<typeof graphOf>, name: string) =>
      figureOf(graph, name, () => ++computed);
    const graph = graphOf(states);
    expect([ask(graph, 'one'), ask(graph, 'one'), ask(graph, 'other')]).toEqual([1, 1, 2]);
    expect(ask(graphOf(states.slice(1)), 'one')).toBe(3);
  });
});
