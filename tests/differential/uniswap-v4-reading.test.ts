import { zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addManagedPool } from '../../src/devchain/pools/add-provided-pool.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { nativeToken, parseAddress } from '../../src/swap/model.ts';
import { createPoolCache } from '../../src/swap/pools/cache/create-pool-cache.ts';
import { readPools } from '../../src/swap/pools/read-pools.ts';
import { createPoolDiscovery } from '../../src/swap/quote/market/create-market-pools.ts';
import type { RoutedQuote } from '../../src/swap/quote/quote.ts';
import { executeQuote, prepareSender } from '../support/execute-quote.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';

let world: World;
let quotes: Quotes;

beforeAll(async () => {
  const deployments = executorBuilds.map(({ deploymentData }) => deploymentData);
  world = await openWorld({ deployments, isPatient: true });
  quotes = await openQuotes({ deployment: world.deployment, urls: [world.server.url] });
});
afterAll(async () => {
  await quotes.close();
  await world.close();
});

it('follows the pools of a manager from block to block by its logs, and sees new ones [Q16] [Q26]', async () => {
  const { evm, reader, deployment, token } = world;
  const pools = createPoolDiscovery(deployment)([token('UNI'), token('USDC')]).filter(
    ({ kind }) => kind === 'uniswap-v4',
  );
  const queries = pools.map((pool) => ({ pool }));
  const clock = createFakeClock();
  const cache = createPoolCache({ reader, clock, capacity: 200, lifetimeMs: 600_000 });
  const follow = async () => {
    const block = await reader.latestBlock();
    const followed = await cache.readAt(block, queries);
    const read = await readPools(reader, { queries, block });
    expect(followed).toEqual(read);
    return [...read.values()].filter((reading) => typeof reading === 'object').length;
  };
  expect(await follow()).toBe(4);
  const sender = parseAddress(`0x${'5f'.repeat(20)}`);
  for (const amountIn of [10n ** 15n, 10n ** 18n, 40n * 10n ** 18n]) {
    const asked = { tokenIn: nativeToken, tokenOut: token('USDC'), amountIn, sender };
    const quote = (await quotes.quote({ ...asked, dexes: ['uniswap-v4'] })) as RoutedQuote;
    await prepareSender(evm, quote);
    expect((await executeQuote(evm, quote)).succeeded).toBe(true);
    await follow();
  }
  await addManagedPool(evm, {
    token0: zeroAddress,
    token1: token('UNI'),
    fee: 3000,
    sqrtPriceX96: 20n << 96n,
    positions: [
      { tickLower: 54_000, tickUpper: 66_000, amount0: 10n ** 18n, amount1: 400n * 10n ** 18n },
    ],
  });
  expect(await follow()).toBe(5);
});
