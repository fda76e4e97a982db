import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import { countQueries, type QueryCount } from '../support/count-queries.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestDelivery } from '../support/open-delivery.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const [, { createStore }] = migratedEngines;

/** Processes that publish and deliver on one PostgreSQL, on a fake clock, so that no periodic work adds queries. */
async function openProcesses(processes: number) {
  const clock = createFakeClock();
  const store = await createStore();
  const receiver = await startWebhookReceiver();
  const nodes: {
    database: Database;
    delivery: TestDelivery;
    count: QueryCount;
    heard: Promise<void>;
  }[] = [];
  for (let n = 0; n < processes; n++) {
    const { database, count } = countQueries(await store.open());
    const delivery = await openTestDelivery(database, { clock });
    const heard = Promise.withResolvers<void>();
    await database.listen('marker', () => heard.resolve());
    const worker = delivery
      .createWorkers({ suspend: delivery.suspend })
      .find(({ name }) => name === 'events-delivery')!;
    const { stop } = startWorker(worker);
    onTestFinished(() => {
      // After the test the clock advances by itself, since a worker may sleep while it stops.
      const passing = setInterval(() => clock.advance(100), 1);
      void stop().then(() => clearInterval(passing));
    });
    // Each worker sleeps for its lease and for its schedule.
    await clock.whenAsleep(2 * (n + 1));
    nodes.push({ database, delivery, count, heard: heard.promise });
  }
  const [first] = nodes;
  await first!.database.transaction(async (tx) => tx.notify('marker'));
  await Promise.all(nodes.map(({ heard }) => heard));
  await clock.whenAsleep(2 * processes);
  const subscribe = async () => {
    const notificationEndpoint = {
      kind: 'webhook',
      uri: receiver.url,
      contentMode: 'BINARY',
    } as const;
    const { subscription } = await first!.delivery.subscribe({ notificationEndpoint });
    return subscription.targetResource;
  };
  const forget = () => {
    for (const { count } of nodes) Object.assign(count, { queries: 0, transactions: 0, wakes: 0 });
  };
  return {
    subscribe,
    forget,
    counts: () => nodes.map(({ count }) => ({ ...count })),
    total: () => nodes.reduce((sum, { count }) => sum + count.queries, 0),
    /** Publishes an event in a process, and waits until the receiver has it. */
    async publish(node: number, target: string, id: string) {
      const before = receiver.received.length;
      await nodes[node % processes]!.delivery.publisher.publish([shopOrder(id, target)]);
      await receiver.got(before + 1);
    },
  };
}

/** Queries: five to publish an event, one to claim its lane, and two to read it and then to find no more. */
const perDelivery = { publish: 5, claim: 1, read: 2 };

test.each([1, 4])(
  'a delivery to an idle receiver takes as many queries with %i processes as with one, and wakes one of them [D4]',
  async (processes) => {
    const world = await openProcesses(processes);
    const targets = [];
    for (let n = 0; n < 24; n++) targets.push(await world.subscribe());
    world.forget();
    for (const [n, target] of targets.entries()) await world.publish(n, target, `e${n}`);
    const { publish, claim, read } = perDelivery;
    await eventually(() => expect(world.total()).toBe(24 * (publish + claim + read)));
    const wakes = world.counts().map((count) => count.wakes);
    expect(wakes).toEqual(Array.from({ length: processes }, () => 24 / processes));
  },
);

test('an event for a claimed lane wakes the process that holds it, whichever publishes, and no process claims it [D4]', async () => {
  const world = await openProcesses(4);
  const target = await world.subscribe();
  world.forget();
  await world.publish(0, target, 'first');
  const { publish, claim, read } = perDelivery;
  await eventually(() => expect(world.counts()[0]!.queries).toBe(publish + claim + read));
  world.forget();
  for (const node of [1, 2, 3]) {
    const before = world.counts()[0]!.queries;
    await world.publish(node, target, `by ${node}`);
    await eventually(() => expect(world.counts()[0]!.queries).toBe(before + read));
  }
  const queries = world.counts().map((count) => count.queries);
  expect(queries).toEqual([3 * read, publish, publish, publish]);
  expect(world.counts().map(({ wakes }) => wakes)).toEqual([3, 0, 0, 0]);
});

test('lanes that wake together leave connections for publishing and for lease renewal [T12]', async () => {
  const opened = await (await createStore()).open();
  const receiver = await startWebhookReceiver();
  const reading = { now: 0, most: 0 };
  const database: Database = {
    ...opened,
    async all(statement) {
      const isReading = statement.strings.join().includes('FROM events_deliveries LEFT JOIN');
      reading.now += isReading ? 1 : 0;
      reading.most = Math.max(reading.most, reading.now);
      try {
        return await opened.all(statement);
      } finally {
        reading.now -= isReading ? 1 : 0;
      }
    },
  };
  const delivery = await openTestDelivery(database);
  const target = '//shop/orders/popular';
  for (let n = 0; n < 40; n++) {
    await delivery.subscribe({
      principal: `client-${n}`,
      targetResource: target,
      notificationEndpoint: { kind: 'webhook', uri: receiver.url, contentMode: 'BINARY' },
    });
  }
  const worker = delivery
    .createWorkers({ suspend: delivery.suspend })
    .find(({ name }) => name === 'events-delivery')!;
  const { stop } = startWorker(worker);
  onTestFinished(() => void stop());
  await delivery.publisher.publish([shopOrder('e1', target)]);
  await receiver.got(40);
  // Six of ten connections.
  expect(reading.most).toBe(6);
});
