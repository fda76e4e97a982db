import { describe, expect, onTestFinished, test } from 'vitest';
import type { Subscription } from '../../src/events/model/subscription.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { countQueries } from '../support/count-queries.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

const caller = {
  subject: 'c',
  clientId: 'client',
  isPerson: false,
  scope: [],
  expiresAt: Number.POSITIVE_INFINITY,
};

/** As many idle readers as in the reported case; fewer on PostgreSQL, where opening them takes longer. */
const engines = migratedEngines.map((one) => ({
  ...one,
  idleReaders: one.engine === 'sqlite' ? 2_000 : 200,
}));

describe.each(engines)('among many idle streams on $engine', ({ createStore, idleReaders }) => {
  /** Delivery on a fake clock, so that no periodic work adds queries. */
  async function open() {
    const clock = createFakeClock();
    const { database, count } = countQueries(await (await createStore()).open());
    const delivery = await openTestDelivery(database, { clock });
    const method = (subscription: Subscription) =>
      delivery
        .methods({ findOwn: async () => subscription, readableOf: async (_, ids) => new Set(ids) })
        .find((one) => one.method.id === 'subscriptions.listen')!;
    const signs = { events: 0 };
    /** Opens a stream and keeps reading it. */
    const listen = async (subscription: Subscription) => {
      const request = new Request('http://events.test/');
      const call = { caller, name: subscription.id, request } as never; // all that it looks at
      const response = (await method(subscription).answer(call)) as Response;
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      onTestFinished(() => reader.cancel());
      void (async () => {
        for (;;) {
          const { done, value = '' } = await reader.read();
          if (done) return;
          signs.events += value.includes('data: ') ? 1 : 0;
        }
      })().catch(() => {});
    };
    const wakes = delivery
      .createWorkers({ suspend: delivery.suspend })
      .find(({ name }) => name === 'events-streams')!;
    startWorker(wakes);
    /** Opens many readers of a few streams. Returns the subscriptions of these streams. */
    const openMany = async (readers: number) => {
      const subscriptions: Subscription[] = [];
      for (let n = 0; n < Math.min(readers, 20); n++) {
        subscriptions.push((await delivery.subscribe({})).subscription);
      }
      const read = Array.from({ length: readers }, (_, n) => subscriptions[n % 20]!);
      await Promise.all(read.map(listen));
      // The sleepers: all readers, and the worker that wakes them.
      await clock.whenAsleep(readers + 1);
      return subscriptions;
    };
    /** Publishes an event for one stream. Returns the number of queries that it took in total. */
    const publishTo = async ({ targetResource }: Subscription, id: string) => {
      const [queries, events] = [count.queries, signs.events];
      await delivery.publisher.publish([shopOrder(id, targetResource)]);
      await eventually(() => expect(signs.events).toBe(events + 1));
      clock.advance(10);
      const settled = sql`SELECT COUNT(*) AS attempts FROM events_attempts`;
      let looks = 0;
      await eventually(async () => {
        looks++;
        expect(await database.first(settled)).toEqual({ attempts: events + 1 });
      });
      await someTurns();
      return count.queries - queries - looks;
    };
    return { clock, count, signs, openMany, listen, publishTo, delivery, database };
  }

  test('an event wakes only its own reader, and takes as many queries as with that reader alone [D3]', async () => {
    const alone = await open();
    const [only] = await alone.openMany(1);
    const expected = await alone.publishTo(only!, 'e1');
    const among = await open();
    await among.openMany(idleReaders);
    const { subscription } = await among.delivery.subscribe({});
    await among.listen(subscription);
    await among.clock.whenAsleep(idleReaders + 2);
    expect(await among.publishTo(subscription, 'e1')).toBe(expected);
    expect(among.signs.events).toBe(1);
  });

  test('one poll for lost notifications serves all streams [D3]', async () => {
    const { clock, count, openMany } = await open();
    await openMany(200);
    const before = count.queries;
    clock.advance(20_000);
    // Two queries: twenty lanes in chunks of ten.
    await eventually(() => expect(count.queries - before).toBe(2));
  });

  test('an event whose notification was lost is found by the poll [D3]', async () => {
    const { clock, signs, openMany, database } = await open();
    const [, one] = await openMany(3);
    const silent = await openTestDelivery(withoutNotices(database), { clock });
    await silent.publisher.publish([shopOrder('e1', one!.targetResource)]);
    await someTurns();
    expect(signs.events).toBe(0);
    clock.advance(15_000);
    await eventually(() => expect(signs.events).toBe(1));
  });
});

/** The same rows, but transactions on it notify nobody. */
function withoutNotices(database: Database): Database {
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => work({ ...tx, notify: () => {} }), options),
  };
}

async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((done) => setImmediate(done));
}
