import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { nativeToken, parseAddress } from '../../src/swap/model.ts';
import type { RoutedQuote } from '../../src/swap/quote/quote.ts';
import { executeQuote, prepareSender } from '../support/execute-quote.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';

let world: World;
let quotes: Quotes;

beforeAll(async () => {
  world = await openWorld({
    deployments: executorBuilds.map(({ deploymentData }) => deploymentData),
  });
  quotes = await openQuotes({ deployment: world.deployment, urls: [world.server.url] });
});
afterAll(async () => {
  await quotes.close();
  await world.close();
});

/** Trades on each exchange of the development chain besides Uniswap V2 and V3. */
const trades = [
  { dex: 'pancakeswap-v3', from: 'WETH', to: 'USDC', amountIn: 3n * 10n ** 18n },
  { dex: 'pancakeswap-v3', from: 'USDC', to: 'ETH', amountIn: 250_000n * 10n ** 6n },
  { dex: 'pancakeswap-v3', from: 'ETH', to: 'USDT', amountIn: 20n * 10n ** 18n },
  { dex: 'pancakeswap-v3', from: 'USDT', to: 'USDC', amountIn: 700_000n * 10n ** 6n },
  { dex: 'uniswap-v4', from: 'ETH', to: 'USDC', amountIn: 3n * 10n ** 18n },
  { dex: 'uniswap-v4', from: 'USDC', to: 'WETH', amountIn: 90_000n * 10n ** 6n },
  // Native in one pool and wrapped in the next, and the other way round.
  { dex: 'uniswap-v4', from: 'DAI', to: 'USDT', amountIn: 20_000n * 10n ** 18n },
  { dex: 'uniswap-v4', from: 'USDT', to: 'WBTC', amountIn: 40_000n * 10n ** 6n },
  // Both pools native: they share one unlock.
  { dex: 'uniswap-v4', from: 'WBTC', to: 'USDC', amountIn: 3n * 10n ** 8n },
  { dex: 'uniswap-v4', from: 'WETH', to: 'USDT', amountIn: 7n * 10n ** 18n },
];

describe.each([...new Set(trades.map(({ dex }) => dex))])('%s', (dex) => {
  it.each(trades.filter((trade) => trade.dex === dex))(
    'executes $from for $to to the unit of its quote [Q14] [Q26]',
    async ({ from, to, amountIn }) => {
      const tokenOf = (symbol: string) => (symbol === 'ETH' ? nativeToken : world.token(symbol));
      const sender = parseAddress(`0x${'5e'.repeat(20)}`);
      const [tokenIn, tokenOut] = [tokenOf(from), tokenOf(to)];
      const asked = { tokenIn, tokenOut, amountIn, sender, dexes: [dex] };
      await prepareSender(world.evm, (await quotes.quote(asked)) as RoutedQuote);
      // The approvals made new blocks, so the quote to execute is asked for after them.
      const quote = (await quotes.quote(asked)) as RoutedQuote;
      expect(quote.status).toBe('Successful');
      expect(new Set(quote.route.map(({ exchange }) => exchange))).toEqual(new Set([dex]));
      // The V4 manager holds many pools, so only there a leg names the id of its pool.
      for (const { poolId } of quote.route) expect(poolId !== undefined).toBe(dex === 'uniswap-v4');
      const { succeeded, received, spent } = await executeQuote(world.evm, quote);
      expect(succeeded).toBe(true);
      expect(received).toBe(quote.expectedAmountOut);
      expect(spent).toBe(amountIn);
      expect(quotes.differences).toBe(0);
    },
  );
});
