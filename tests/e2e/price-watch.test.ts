import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import type { ChainDeployment } from '../../src/swap/deployments/deployment.ts';
import { nativeToken, parseAddress } from '../../src/swap/model.ts';
import type { RoutedQuote } from '../../src/swap/quote/quote.ts';
import { createPriceWatch, type PairWatch } from '../../src/swap/watch/price-watch.ts';
import type { OnPairChange, PairChange } from '../../src/swap/watch/watch-chain.ts';
import { executeQuote, prepareSender } from '../support/execute-quote.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { openRpcServer } from '../support/rpc-server.ts';

const trader = parseAddress('0x00000000000000000000000000000000000000aa');
const pollMs = 1_000;
const ether = 10n ** 18n;

let world: World;
let quotes: Quotes;
beforeAll(async () => {
  world = await openWorld();
  quotes = await openQuotes({ deployment: ethereum, urls: [world.server.url] });
});
afterAll(async () => {
  await quotes.close();
  await world.close();
});
beforeEach(() => world.server.behave());

test('a price that moves past its threshold is reported at the block of the swap [E14.12]', async () => {
  const { watchUsdc, look } = openWatch();
  const { changes } = watchUsdc({ thresholdBps: 100 });
  await look();
  expect(changes).toMatchObject([{ kinds: [] }]);
  await sellEther(10n);
  await look();
  expect(changes).toHaveLength(1);
  const blockNumber = await sellEther(2_000n);
  await look();
  expect(changes).toHaveLength(2);
  expect(changes[1]?.kinds).toContain('price');
  expect(changes[1]?.reading.blockNumber).toBe(blockNumber);
  expect(changes[1]?.reading.amountOut).toBeLessThan(changes[0]!.reading.amountOut);
});

test('a reading equals a quote of the same block [E14.12]', async () => {
  const { watchUsdc, look } = openWatch();
  const { changes } = watchUsdc({ thresholdBps: 100, amount: 3n * ether });
  await look();
  const quote = await quoteEther(3n * ether);
  expect(changes[0]?.reading).toMatchObject({
    amountIn: quote.amountIn,
    amountOut: quote.expectedAmountOut,
    price: quote.swapPrice,
    blockNumber: quote.blockNumber,
  });
  const pools = changes[0]?.reading.route.flat() ?? [];
  expect(new Set(pools)).toEqual(new Set(quote.route.map(({ pool }) => pool)));
});

test('a pair is priced once per block, however many watch it [E14.12]', async () => {
  const { watchUsdc, look, pricings } = openWatch();
  const watchers = Array.from({ length: 20 }, () => watchUsdc({ thresholdBps: 1 }));
  await look();
  await look();
  expect(pricings()).toBe(1);
  await sellEther(50n);
  await look();
  await look();
  expect(pricings()).toBe(2);
  for (const { changes } of watchers) expect(changes).toHaveLength(2);
});

test('pairs of addresses without tokens are read once per block, not at every poll [Q32]', async () => {
  const { watchUsdc, look, pricings } = openWatch();
  const addressOf = (n: number) => `0x${String(n).padStart(40, 'c')}`;
  for (let n = 0; n < 5; n++) watchUsdc({ tokenIn: addressOf(n), tokenOut: addressOf(n + 100) });
  await look();
  expect(pricings()).toBe(5);
  world.server.resetCounts();
  for (let looks = 0; looks < 3; looks++) await look();
  expect(pricings()).toBe(5);
  // Each poll asks for the newest block and nothing else.
  expect(world.server.requests).toBe(3);
  await sellEther(1n);
  await look();
  expect(pricings()).toBe(10);
});

test('the results of a pair are dropped once nobody watches it, even if no block follows [N5]', async () => {
  const { watchUsdc, look, pricings } = openWatch();
  watchUsdc({});
  const passing = watchUsdc({ amount: 5n * ether });
  await look();
  passing.stop();
  await look();
  expect(pricings()).toBe(2);
  watchUsdc({ amount: 5n * ether });
  await look();
  expect(pricings()).toBe(3);
});

test('a chain gets no request before the first watch and after the last', async () => {
  const { watchUsdc, look, clock } = openWatch();
  world.server.resetCounts();
  clock.advance(60_000);
  expect(world.server.requests).toBe(0);
  const { stop } = watchUsdc({ thresholdBps: 100 });
  await look();
  expect(world.server.requests).toBeGreaterThan(0);
  let isAsleep = false;
  stop();
  void clock.whenAsleep().then(() => {
    isAsleep = true;
  });
  await setImmediate();
  expect(isAsleep).toBe(false);
});

test('a move during an outage of the node is reported afterwards [E14.12]', async () => {
  const { watchUsdc, look } = openWatch();
  const { changes } = watchUsdc({ thresholdBps: 100 });
  await look();
  world.server.misbehave({ instead: 'server-error' });
  await sellEther(2_000n);
  await look();
  expect(changes).toHaveLength(1);
  world.server.behave();
  await look(60_000);
  expect(changes.at(-1)?.kinds).toContain('price');
});

test('a watch that continues from the last report reports once what moved meanwhile [E14.12]', async () => {
  const before = openWatch();
  const first = before.watchUsdc({ thresholdBps: 100 });
  await before.look();
  first.stop();
  await sellEther(2_000n);
  const after = openWatch();
  const { lastReported } = first.changes[0]!;
  const { changes } = after.watchUsdc({ thresholdBps: 100, lastReported });
  await after.look();
  expect(changes).toHaveLength(1);
  expect(changes[0]?.kinds).toContain('price');
  await after.look();
  expect(changes).toHaveLength(1);
});

test('a change whose handler failed is reported again [E14.12]', async () => {
  const { watchUsdc, look, problems } = openWatch();
  let isDown = false;
  const { changes } = watchUsdc({ thresholdBps: 100 }, () => {
    if (isDown) throw new Error('the store is down');
  });
  await look();
  await sellEther(2_000n);
  isDown = true;
  await look();
  expect(changes).toHaveLength(1);
  expect(problems).toHaveLength(1);
  isDown = false;
  await look();
  expect(changes).toHaveLength(2);
});

test('a chain that is not served is refused by name', () => {
  const { watch } = openWatch();
  const pair = { tokenIn: world.token('WETH'), tokenOut: world.token('USDC'), thresholdBps: 1 };
  expect(() => watch.watchPair({ chainId: 5, ...pair }, () => {})).toThrow(/Chain 5 is not served/);
});

test('a pair that cannot be priced does not delay the reports of others [E14.12]', async () => {
  const { wrappedNative: _, ...deployment } = ethereum;
  const { watchUsdc, look, problems } = openWatch(deployment);
  const native = watchUsdc({ tokenIn: nativeToken });
  const { changes } = watchUsdc({});
  await look();
  expect(changes).toHaveLength(1);
  expect(native.changes).toEqual([]);
  expect(problems).toEqual([]);
});

function openWatch(deployment: ChainDeployment = ethereum) {
  const clock = createFakeClock();
  const problems: unknown[] = [];
  let pricings = 0;
  const open = async (signal: AbortSignal) => {
    const chain = await quotes.chain.open(signal);
    const readMarket: typeof chain.readMarket = (wanted) => {
      pricings += 1;
      return chain.readMarket(wanted);
    };
    return { ...chain, deployment, readMarket };
  };
  const watch = createPriceWatch({
    chains: new Map([[1, { ...quotes.chain, open }]]),
    clock,
    pollMs,
    onProblem: (problem) => problems.push(problem),
  });
  onTestFinished(() => watch.close());
  let isFirst = true;

  const watchUsdc = (terms: Partial<PairWatch>, take: OnPairChange = () => {}) => {
    const changes: PairChange[] = [];
    const pair = { tokenIn: world.token('WETH'), tokenOut: world.token('USDC') };
    const stop = watch.watchPair(
      { chainId: 1, thresholdBps: 100, ...pair, ...terms },
      async (change, signal) => {
        await take(change, signal);
        changes.push(change);
      },
    );
    return { changes, stop };
  };
  /** Lets the watch poll the chain once and waits until it has. */
  const look = async (after = pollMs) => {
    if (!isFirst) clock.advance(after);
    isFirst = false;
    await clock.whenAsleep();
  };
  return { clock, watch, watchUsdc, look, problems, pricings: () => pricings };
}

async function quoteEther(amountIn: bigint, by = quotes): Promise<RoutedQuote> {
  const quote = await by.quote({
    tokenIn: world.token('WETH'),
    tokenOut: world.token('USDC'),
    amountIn,
    sender: trader,
  });
  if (quote.status === 'NoRoute') throw new Error(quote.reason);
  return quote;
}

/** Another trader, whose node is always up, sells ether for dollars. Returns the block of the sale. */
async function sellEther(count: bigint): Promise<bigint> {
  const server = await openRpcServer(world.evm);
  const others = await openQuotes({ deployment: ethereum, urls: [server.url] });
  try {
    const quote = await quoteEther(count * ether, others);
    await prepareSender(world.evm, quote);
    expect((await executeQuote(world.evm, quote)).succeeded).toBe(true);
    return await world.client.getBlockNumber({ cacheTime: 0 });
  } finally {
    await others.close();
    await server.close();
  }
}
