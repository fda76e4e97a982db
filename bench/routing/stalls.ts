import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { createRoutingMemory } from '../../src/swap/quote/market/create-routing-memory.ts';
import type { MarketPool } from '../../src/swap/quote/market/market.ts';
import { createRouteChooser } from '../../src/swap/quote/search/create-route-chooser.ts';
import { createSearchThread } from '../../src/swap/quote/search/create-search-thread.ts';
import { webOfPools } from './web-of-pools.ts';

/*
 * How long searches block the event loop, and with it the answers to all other callers [Q31]: over markets of several sizes,
 * on the serving thread alone and with the thread for long searches. The states of each block are new to that thread.
 * Run: node bench/routing/stalls.ts (Node.js 24).
 */

const blocks = Number(process.env.BLOCKS ?? 6);
const amounts = [10n ** 18n, 10n ** 20n, 10n ** 22n, 10n ** 23n];
const { signal } = new AbortController();

const thread = createSearchThread({ clock: systemClock, onProblem: console.error });
const rows = [];
for (const count of [90, 400, 1_200]) {
  for (const where of ['serving', 'search'] as const) rows.push(await measure(count, where));
}
console.table(rows);
await thread.close();

async function measure(count: number, where: 'serving' | 'search') {
  const ran = { serving: 0, search: 0 };
  const onSearch = (place: 'serving' | 'search') => {
    ran[place] += 1;
  };
  const choose = createRouteChooser(where === 'search' ? { thread, onSearch } : { onSearch });
  const { tokens, pools } = webOfPools(count, { rangeShare: 0.5 });
  const [, , , tokenIn, , , , tokenOut] = tokens.map(({ address }) => address);
  if (tokenIn === undefined || tokenOut === undefined) throw new Error('too few tokens');
  const memory = createRoutingMemory();
  // One block first, so that the code is compiled and the thread runs.
  await searchBlock(0);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let block = 1; block <= blocks; block += 1) await searchBlock(block);
  delay.disable();
  return {
    pools: pools.length,
    'longest searches on': where === 'search' ? 'a thread of their own' : 'the serving thread',
    'searched there': ran.search,
    'searched here': ran.serving,
    'longest turn ms': Math.round(delay.max / 1e6),
    'p99 ms': Math.round(delay.percentile(99) / 1e6),
  };

  async function searchBlock(block: number): Promise<void> {
    const number = BigInt(block);
    const marketPools = pools.map((pool): MarketPool => {
      const state = { ...pool, blockNumber: number };
      const exchange = state.kind === 'concentrated' ? 'uniswap-v3' : 'uniswap-v2';
      return { pool: { ...pool, exchange }, state };
    });
    const market = {
      block: { number, hash: '0x', parentHash: '0x', timestamp: 0n, gasLimit: 0n, gasPrice: 0n },
      isRemembered: false,
      pools: marketPools,
      tokens: new Map(),
      storage: { balances: undefined, allowances: undefined },
      memory,
    } as const;
    for (const amountIn of amounts) {
      const search = { deployment: ethereum, market, tokenIn, tokenOut, amountIn, gasPrice: 0n };
      await choose(search as Parameters<typeof choose>[0], { signal });
      await sleep(5);
    }
  }
}
