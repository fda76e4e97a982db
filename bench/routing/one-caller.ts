import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { createRoutingMemory } from '../../src/swap/quote/market/create-routing-memory.ts';
import type { Market, MarketPool } from '../../src/swap/quote/market/market.ts';
import type { PriceRequest } from '../../src/swap/quote/quote.ts';
import type { QuoteChain } from '../../src/swap/quote/quote-chain.ts';
import { priceSwap } from '../../src/swap/quote/quote-swap.ts';
import { createRouteChooser } from '../../src/swap/quote/search/create-route-chooser.ts';
import { createSearchThread } from '../../src/swap/quote/search/create-search-thread.ts';
import { webOfPools } from './web-of-pools.ts';

/*
 * How much of a core one anonymous caller with 600 requests a minute can take [Q32], over a market of 1,200 pools. Every
 * amount is new. Every sixtieth request is in a new block, whose pool states all have to be sent to the search thread. All
 * processor time is counted, including the search thread, the compiler and the garbage collector, but without HTTP.
 * Run: node bench/routing/one-caller.ts (Node.js 24).
 */

const asked = Number(process.env.REQUESTS ?? 300);
const allowedAMinute = 600;
const requestsInABlock = 60;
const { signal } = new AbortController();
const thread = createSearchThread({ clock: systemClock, onProblem: console.error });
const { tokens, pools } = webOfPools(Number(process.env.POOLS ?? 1_200), { rangeShare: 0.5 });
const [, , , tokenIn, , , , tokenOut] = tokens;
if (tokenIn === undefined || tokenOut === undefined) throw new Error('too few tokens');

const rows = [];
for (const what of ['amount', 'amountOut'] as const) {
  await ask(what, { count: requestsInABlock, firstBlock: 0 });
  const before = process.cpuUsage();
  await ask(what, { count: asked, firstBlock: 1 });
  const { user, system } = process.cpuUsage(before);
  const each = (user + system) / 1_000 / asked;
  rows.push({
    pools: pools.length,
    asked: what === 'amount' ? 'prices of new amounts' : 'prices of new outputs',
    'processor ms each': Number(each.toPrecision(3)),
    'part of a core at 600 a minute': Number(((each * allowedAMinute) / 60_000).toPrecision(2)),
    allowed: 0.5,
  });
}
console.table(rows);
await thread.close();

async function ask(
  what: 'amount' | 'amountOut',
  { count, firstBlock }: { readonly count: number; readonly firstBlock: number },
): Promise<void> {
  const memory = createRoutingMemory();
  const chooseRoute = createRouteChooser({ thread });
  let market = marketOf(firstBlock, memory);
  for (let index = 0; index < count; index += 1) {
    const block = firstBlock + Math.floor(index / requestsInABlock);
    if (market.block.number !== BigInt(block)) market = marketOf(block, memory);
    const chain = {
      deployment: ethereum,
      chooseRoute,
      rpcUrls: () => [],
      readMarket: async () => market,
    } as Partial<QuoteChain> as QuoteChain;
    const amount = 10n ** 20n + BigInt(index) * 10n ** 15n;
    const request = {
      chainId: 1,
      tokenIn: tokenIn?.address,
      tokenOut: tokenOut?.address,
      ...(what === 'amount' ? { amountIn: amount } : { amountOut: amount }),
    } as PriceRequest;
    const { status } = await priceSwap(request, { chain, clock: systemClock, signal });
    if (status !== 'Successful') throw new Error(`${what} ${amount}: ${status}`);
    if (index % 10 === 0) await sleep(1);
  }
}

function marketOf(block: number, memory: Market['memory']): Market {
  const number = BigInt(block);
  const metadata = (token: (typeof tokens)[number]) => {
    const { address, symbol, decimals } = token;
    return [address, { address, symbol, name: symbol, decimals }] as const;
  };
  return {
    block: {
      number,
      hash: '0x',
      parentHash: '0x',
      timestamp: 0n,
      gasLimit: 0n,
      gasPrice: 10n ** 9n,
    },
    isRemembered: false,
    pools: pools.map((pool): MarketPool => {
      const state = { ...pool, blockNumber: number };
      const exchange = state.kind === 'concentrated' ? 'uniswap-v3' : 'uniswap-v2';
      return { pool: { ...pool, exchange }, state };
    }),
    tokens: new Map(tokens.map(metadata)),
    storage: { balances: undefined, allowances: undefined },
    memory,
  };
}
