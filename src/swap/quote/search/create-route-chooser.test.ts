import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pair, rangePool, token } from '../../../../tests/support/routing-pools.ts';
import { systemClock } from '../../../kernel/wait/clock.ts';
import { ethereum } from '../../deployments/chains/ethereum.ts';
import { swapLimits } from '../../limits.ts';
import type { PoolState } from '../../pools/pool.ts';
import { createRoutingMemory } from '../market/create-routing-memory.ts';
import type { MarketPool } from '../market/market.ts';
import { chooseRoute, type RouteSearch } from './choose-route.ts';
import { createRouteChooser } from './create-route-chooser.ts';
import { createSearchThread } from './create-search-thread.ts';

const whole = 10n ** 24n;
const few = swapLimits.poolsSearchedServing.value;
const { signal } = new AbortController();

/** Pools between the two ends, and between the ends and other tokens; half of them are concentrated. */
function poolsOf(count: number): PoolState[] {
  return Array.from({ length: count }, (_, id) => {
    const between = 3 + (id >> 2);
    const ends = (
      [
        [1, 2],
        [1, between],
        [2, between],
        [1, 3],
      ] as const
    )[id % 4] ?? [1, 2];
    const range = [-6_000, 6_000, whole + BigInt(id)] as const;
    return id % 2 === 0 ? pair(ends, [whole, whole], { id }) : rangePool(ends, [range], { id });
  });
}

function searchOver(states: readonly PoolState[], number = 7n): RouteSearch {
  const block = { hash: '0x', parentHash: '0x', timestamp: 0n, gasLimit: 0n } as const;
  return {
    deployment: ethereum,
    market: {
      block: { ...block, number, gasPrice: 0n },
      isRemembered: false,
      pools: states.map((state) => {
        const exchange = state.kind === 'concentrated' ? 'uniswap-v3' : 'uniswap-v2';
        return { pool: { exchange }, state } as MarketPool;
      }),
      tokens: new Map(),
      storage: { balances: undefined, allowances: undefined },
      memory: createRoutingMemory(),
    },
    tokenIn: token(1),
    tokenOut: token(2),
    amountIn: whole / 10n,
    gasPrice: 10n ** 9n,
  };
}

function openChooser() {
  const ran: string[] = [];
  const problems: unknown[] = [];
  const onProblem = (problem: unknown) => problems.push(problem);
  const thread = createSearchThread({ clock: systemClock, onProblem });
  onTestFinished(() => thread.close());
  const choose = createRouteChooser({ thread, onSearch: (where) => ran.push(where) });
  return { thread, choose, ran, problems };
}

describe('createRouteChooser', () => {
  it('searches many pools on a thread of their own, while the event loop turns [Q31]', async () => {
    const { choose, ran, problems } = openChooser();
    const search = searchOver(poolsOf(few + 1));
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turns += 1) await setImmediate();
    })();
    const choice = await choose(search, { signal });
    isOver = true;
    await counting;
    expect([ran, problems]).toEqual([['search'], []]);
    expect(turns).toBeGreaterThan(2);
    const here = chooseRoute(search);
    expect(choice).toEqual(here);
    // The identical state objects: later reads of pools and the encoding of hops need them.
    expect(choice?.route.paths[0]?.hops[0]?.pool).toBe(here?.route.paths[0]?.hops[0]?.pool);
    expect(choice?.router).toBe(here?.router);
  });

  it('searches few pools on the calling thread, and the same question once per block [Q31]', async () => {
    const { choose, ran } = openChooser();
    const search = searchOver(poolsOf(few));
    const first = await choose(search, { signal });
    expect(await choose({ ...search }, { signal })).toBe(first);
    expect(ran).toEqual(['serving']);
    const others = [
      { amountIn: 1n },
      { gasPrice: 0n },
      { tokenOut: token(3) },
      { within: 'one-path' } as const,
      { market: { ...search.market, pools: [...search.market.pools] } },
      { deployment: { ...ethereum } },
    ];
    for (const other of others) await choose({ ...search, ...other }, { signal });
    expect(ran).toHaveLength(1 + others.length);
    await choose(searchOver(poolsOf(2), 8n), { signal });
    await choose(search, { signal });
    expect(ran).toHaveLength(3 + others.length);
  });

  it('answers concurrent callers of the same search by one search, even if one of them leaves', async () => {
    const { choose, ran } = openChooser();
    const search = searchOver(poolsOf(few + 1));
    const leaving = new AbortController();
    const first = choose(search, leaving);
    const second = choose(search, { signal });
    leaving.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    expect((await second)?.route.amountOut).toBe(chooseRoute(search)?.route.amountOut);
    expect(ran).toEqual(['search']);
  });

  it('drops states of the thread before it has too many, and sends again those that it needs', async () => {
    const { choose, problems } = openChooser();
    const states = poolsOf(few + 1);
    const rounds = Math.ceil(swapLimits.statesOnSearchThread.value / states.length) + 2;
    for (let round = 0; round < rounds; round += 1) {
      const [kept, fresh] = [states.slice(0, 2), states.slice(2).map((state) => ({ ...state }))];
      const search = { ...searchOver([...kept, ...fresh]), amountIn: BigInt(10 ** 6 + round) };
      expect((await choose(search, { signal }))?.route.amountIn).toBe(search.amountIn);
    }
    expect(problems).toEqual([]);
  });

  it('searches on the calling thread what the search thread cannot, and reports why', async () => {
    const { choose, problems } = openChooser();
    const states = poolsOf(few + 1).map((state) => ({ ...state, uncopied: () => {} }));
    const choice = await choose(searchOver(states), { signal });
    expect(choice?.route.paths.length).toBeGreaterThan(1);
    expect(problems).toHaveLength(1);
  });

  it('searches on the calling thread once the search thread is closed', async () => {
    const { thread, choose, problems } = openChooser();
    await thread.close();
    expect(await choose(searchOver(poolsOf(few + 1)), { signal })).toBeDefined();
    expect(problems).toEqual([]);
  });
});
