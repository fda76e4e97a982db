import { describe, expect, it } from 'vitest';
import { builtInApplications } from '../../src/events/applications/built-in-applications.ts';
import { createSwapSource } from '../../src/events/sources/create-swap-source.ts';
import {
  createPairStart,
  type PairChange,
  type PairTerms,
  type PricedPair,
  type PriceSource,
} from '../../src/events/sources/price-source.ts';
import { notifyPairs } from '../../src/events/store/price-watch-store.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { countQueries } from '../support/count-queries.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { openTestEvents } from '../support/open-test-events.ts';
import { queuedEvents } from '../support/queued-events.ts';
import { startWorker } from '../support/start-worker.ts';
import { createTally } from '../support/tally.ts';
import { migratedEngines } from '../support/test-engines.ts';

const [tokenIn, tokenOut] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
const targetResource = `//swap/chains/1/pairs/${tokenIn}-${tokenOut}`;
const [moved, changed] = ['tradewind.swap.price.v1.moved', 'tradewind.swap.route.v1.changed'];
const builtIn = builtInApplications({ folders: [], servesChain: () => true });

describe.each(migratedEngines)('the swap source on $engine', ({ engine, createStore }) => {
  async function setUp() {
    const testStore = await createStore();
    const { database, count } = countQueries(await testStore.open());
    const clock = createFakeClock();
    const delivery = await openTestDelivery(database, { clock, builtIn });
    const failures: unknown[] = [];
    const openSource = (prices: PriceSource) =>
      createSwapSource({
        prices,
        publisher: delivery.publisher,
        database,
        clock,
        random: systemRandom,
        onFailure: (error) => failures.push(error),
      });
    const start = (prices: PriceSource) => startWorker(openSource(prices)[0]!);
    const subscribe = async (options: { eventTypes?: string[]; thresholdBps?: number } = {}) => {
      const { eventTypes = [moved], thresholdBps = 100 } = options;
      const { subscription } = await delivery.subscribe({
        principal: `client ${clients++}`,
        targetResource,
        eventTypes,
        options: { swapOptions: { amount: '1000', thresholdBps, intervalSeconds: 7 } },
      });
      return subscription;
    };
    let clients = 0;
    return { database, count, clock, delivery, failures, openSource, start, subscribe };
  }

  it('watches each subscribed pair by the options of its subscription [E14.12]', async () => {
    const { start, subscribe } = await setUp();
    await subscribe({ thresholdBps: 50 });
    await subscribe({ thresholdBps: 200, eventTypes: [moved, changed] });
    const prices = createPrices();
    start(prices.source);
    await prices.begun(2);
    const pair = { chainId: 1, tokenIn, tokenOut, amount: 1_000n, intervalSeconds: 7 };
    expect(prices.watches().map(({ watch }) => watch)).toEqual(
      expect.arrayContaining([
        { ...pair, thresholdBps: 50, kinds: ['price'], lastReported: undefined },
        { ...pair, thresholdBps: 200, kinds: ['price', 'route'], lastReported: undefined },
      ]),
    );
  });

  it('reports a change to its own subscription, and to no other [E14.11, E14.12]', async () => {
    const { start, subscribe, database } = await setUp();
    const [one, other] = [await subscribe({ thresholdBps: 50 }), await subscribe()];
    const prices = createPrices();
    start(prices.source);
    await prices.begun(2);
    const watch = prices.watches().find(({ watch }) => watch.thresholdBps === 50)!;
    await watch.tell({ amountOut: 100n });
    await watch.tell({ amountOut: 90n, kinds: ['price', 'route'] });
    const queued = await queuedEvents(database, one.id);
    expect(queued).toMatchObject([
      {
        type: moved,
        subject: targetResource,
        data: {
          price: {
            name: `chains/1/pairs/${tokenIn}-${tokenOut}`,
            chainId: 1,
            tokenIn,
            tokenOut,
            amountIn: '1000',
            amountOut: '90',
            previousAmountOut: '100',
            blockNumber: 2,
          },
        },
      },
      { type: changed, data: { route: { paths: [['0xpool']], amountOut: '90' } } },
    ]);
    expect(await queuedEvents(database, other.id)).toEqual([]);
  });

  it('continues after a restart from the last report, and does not repeat it [E14.12]', async () => {
    const { start, subscribe, database } = await setUp();
    const { id } = await subscribe();
    const before = createPrices();
    const running = start(before.source);
    await before.begun(1);
    await before.watches()[0]!.tell({ amountOut: 100n });
    await before.watches()[0]!.tell({ amountOut: 80n, kinds: ['price'] });
    await running.stop();
    expect(before.watches()).toEqual([]);
    const after = createPrices();
    start(after.source);
    await after.begun(1);
    expect(after.watches()[0]?.watch.lastReported).toMatchObject({ amountOut: '80' });
    expect(await queuedEvents(database, id)).toHaveLength(1);
  });

  it('reports nothing when another process has reported to the same subscription meanwhile [E14.12]', async () => {
    const { start, subscribe, database } = await setUp();
    const { id } = await subscribe();
    const prices = createPrices();
    start(prices.source);
    await prices.begun(1);
    const [watch] = prices.watches();
    await watch!.tell({ amountOut: 100n });
    const stale = watch!.told();
    await watch!.tell({ amountOut: 80n, kinds: ['price'] });
    await watch!.tell({ amountOut: 70n, kinds: ['price'], before: stale });
    expect(await queuedEvents(database, id)).toHaveLength(1);
    await prices.begun(2);
    expect(prices.watches()).toMatchObject([{ watch: { lastReported: { amountOut: '80' } } }]);
  });

  it('compares a new subscription with the price at its creation, and watches it at once [E14.12]', async () => {
    const { start, subscribe, database, clock } = await setUp();
    const prices = createPrices();
    start(prices.source);
    await clock.whenAsleep(2);
    const onCreate = createPairStart({ prices: prices.source, clock });
    const { signal } = new AbortController();
    const subscription = await subscribe();
    const write = await onCreate(subscription, signal);
    await database.transaction(async (tx) => {
      await write?.(tx);
      notifyPairs(tx, subscription);
    });
    await prices.begun(1);
    expect(prices.watches()[0]?.watch.lastReported).toMatchObject({ amountOut: '555' });
    const chain = { ...subscription, targetResource: '//swap/chains/1', options: {} };
    expect(await onCreate(chain, signal)).toBeUndefined();
  });

  it('follows subscriptions created, changed and deleted over the interface at once, even if the price cannot be read', async () => {
    const { database, start } = await setUp();
    const prices = createPrices();
    start(prices.source);
    // Another process, without prices and on a fake clock.
    const { call } = await openTestEvents(database);
    const body = { targetResource, eventTypes: [moved], notificationEndpoint: { eventStream: {} } };
    const { body: created } = await call('POST', '/v1/subscriptions', { as: 'trader', body });
    await prices.begun(1);
    const { name } = created.response;
    await call('PATCH', `/v1/${name}`, { as: 'trader', body: { eventTypes: [changed] } });
    await prices.begun(2);
    expect(prices.watches()).toMatchObject([{ watch: { kinds: ['route'] } }]);
    await call('DELETE', `/v1/${name}`, { as: 'trader' });
    await eventually(() => expect(prices.watches()).toEqual([]));
  });

  it('reads of the subscriptions only those that change, however many there are [N11]', async () => {
    const { start, subscribe, database, count, clock } = await setUp();
    const stored = 30;
    for (let n = 0; n < stored; n++) await subscribe();
    const prices = createPrices();
    start(prices.source);
    await prices.begun(stored);
    const before = count.rows;
    for (let seconds = 0; seconds < 5; seconds++) {
      await clock.whenAsleep(2);
      clock.advance(1_000);
    }
    await clock.whenAsleep(2);
    const added = await subscribe();
    await database.transaction(async (tx) => notifyPairs(tx, added));
    await prices.begun(stored + 1);
    expect(count.rows - before).toBeLessThan(stored);
  });

  it('finds a subscription whose notification was lost when it reads all again', async () => {
    const { start, subscribe, clock } = await setUp();
    const prices = createPrices();
    start(prices.source);
    await clock.whenAsleep(2);
    await subscribe();
    clock.advance(600_000);
    await prices.begun(1);
  });

  // The embedded database has one process, so no other could take over.
  const shared = [engine].filter((one) => one === 'postgres');
  it.each(shared)(
    'runs on %s in one process at a time, and another takes over when that is gone',
    async () => {
      const { start, subscribe, clock, database } = await setUp();
      const holder = () => database.first(sql`SELECT owner FROM leases`);
      await subscribe();
      const [first, second] = [createPrices(), createPrices()];
      const running = start(first.source);
      await first.begun(1);
      const before = await holder();
      start(second.source);
      await clock.whenAsleep(3);
      expect(await holder()).toEqual(before);
      await running.stop();
      clock.advance(1_000);
      await second.begun(1);
      expect(first.watches()).toEqual([]);
    },
  );

  it('publishes refreshed endpoints on their chain [E14.11]', async () => {
    const { database, delivery, openSource } = await setUp();
    const { subscription } = await delivery.subscribe({
      targetResource: '//swap/chains/10',
      eventTypes: ['tradewind.swap.rpcs.v1.refreshed'],
    });
    const prices = createPrices();
    const worker = startWorker(openSource(prices.source)[1]!);
    prices.refresh({ chainId: 10, rpcUrls: ['https://a.example'] });
    prices.refresh({ chainId: 1, rpcUrls: ['https://b.example'] });
    await worker.stop();
    // Both publications are in one commit, or the earlier one is committed first.
    await delivery.publisher.publish([]);
    expect(await queuedEvents(database, subscription.id)).toMatchObject([
      {
        subject: '//swap/chains/10',
        data: { rpcs: { name: 'chains/10/rpcs', rpcUrls: ['https://a.example'] } },
      },
    ]);
  });
});

/** A stand-in for the swap service, whose prices the test decides. */
function createPrices() {
  type Told = NonNullable<PairTerms['lastReported']>;
  type Watch = {
    readonly watch: PricedPair & PairTerms;
    told(): Told | undefined;
    tell(
      reading: { amountOut: bigint; before?: Told | undefined } & Partial<
        Pick<PairChange, 'kinds'>
      >,
    ): Promise<void>;
  };
  const watches = new Set<Watch>();
  const begun = createTally();
  const toldOf = (amountOut: string) => ({
    amountIn: '1000',
    amountOut,
    route: '0xpool',
    priceReportedAt: 0,
    routeReportedAt: 0,
  });
  let block = 0n;
  let onRefreshed: Parameters<PriceSource['watchRpcs']>[0] = () => {};
  const source: PriceSource = {
    servesChain: () => true,
    readPair: async () => toldOf('555'),
    watchPair(watch, onChange) {
      let told = watch.lastReported;
      const entry: Watch = {
        watch,
        told: () => told,
        async tell({ amountOut, kinds = [], before = told }) {
          block += 1n;
          const next = toldOf(String(amountOut));
          const reading = {
            blockNumber: block,
            blockHash: `0x${block}`,
            amountIn: 1_000n,
            amountOut,
            price: 1,
            route: [['0xpool']],
          };
          await onChange(
            { kinds, reading, before, lastReported: next },
            AbortSignal.timeout(5_000),
          );
          told = next;
        },
      };
      watches.add(entry);
      begun.add();
      return () => watches.delete(entry);
    },
    watchRpcs(listener) {
      onRefreshed = listener;
      return () => {
        onRefreshed = () => {};
      };
    },
  };
  return {
    source,
    watches: () => [...watches],
    begun: begun.reached,
    refresh: (rpcs: Parameters<typeof onRefreshed>[0]) => onRefreshed(rpcs),
  };
}
