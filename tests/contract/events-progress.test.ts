import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../src/events/model/subscription.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

type TestDelivery = Awaited<ReturnType<typeof openTestDelivery>>;

/** Calls a method of the interface as the owner of the subscription. */
async function call(
  delivery: TestDelivery,
  id: 'subscriptions.deliveries.list' | 'subscriptions.replay',
  subscription: Subscription,
) {
  const { answer } = delivery
    .methods({ findOwn: async () => subscription, readableOf: async (_, ids) => new Set(ids) })
    .find(({ method }) => method.id === id)!;
  // The members that these two methods read.
  const caller = { scope: [] };
  const request = { name: subscription.id, caller, query: {}, readBody: async () => ({}) };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  return (await answer(request as never)) as any;
}

const cases = [
  { ...migratedEngines[0], reader: 'the process that delivers' },
  { ...migratedEngines[1], reader: 'the process that delivers' },
  { ...migratedEngines[1], reader: 'another process' },
];

describe.each(cases)(
  '$reader, asked right after a receipt on $engine,',
  ({ createStore, reader }) => {
    const open = async () => {
      const store = await createStore();
      const delivery = await openTestDelivery(await store.open());
      const asked =
        reader === 'another process' ? await openTestDelivery(await store.open()) : delivery;
      const receiver = await startWebhookReceiver();
      const { subscription } = await delivery.subscribe({
        notificationEndpoint: { kind: 'webhook', uri: receiver.url, contentMode: 'BINARY' },
      });
      delivery.createWorkers({ suspend: delivery.suspend }).map(startWorker);
      const publish = (id: string) =>
        delivery.publisher.publish([shopOrder(id, subscription.targetResource)]);
      return { asked, receiver, subscription, publish };
    };

    test('replays the event that was received, each time [D8]', async () => {
      const { asked, receiver, subscription, publish } = await open();
      await publish('e1');
      for (let round = 1; round <= 15; round++) {
        await receiver.got(round);
        expect(await call(asked, 'subscriptions.replay', subscription)).toEqual({ replayed: 1 });
      }
      const ids = receiver.received.slice(0, 15).map(({ headers }) => headers['ce-id']);
      expect(new Set(ids)).toEqual(new Set(['e1']));
    });

    test('finds the delivery in the log, each time [D12]', async () => {
      const { asked, receiver, subscription, publish } = await open();
      for (let round = 1; round <= 15; round++) {
        await publish(`e${round}`);
        await receiver.got(round);
        const { deliveries } = await call(asked, 'subscriptions.deliveries.list', subscription);
        expect(deliveries.at(-1)).toMatchObject({
          eventId: `e${round}`,
          state: 'DELIVERED',
          attempts: [{ status: 204 }],
        });
      }
    });
  },
);

test.each(migratedEngines)(
  'reading the log of a lane whose process died waits a limited time and returns what is written, on $engine [D12]',
  async ({ createStore }) => {
    const database = await (await createStore()).open();
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const delivery = await openTestDelivery(database, { clock: { ...systemClock, sleep } });
    const { subscription } = await delivery.subscribe({});
    await delivery.publisher.publish([shopOrder('e1', subscription.targetResource)]);
    await database.run(sql`UPDATE events_lanes SET owner = 'gone'`);
    const { deliveries } = await call(delivery, 'subscriptions.deliveries.list', subscription);
    expect(deliveries).toMatchObject([{ eventId: 'e1', state: 'PENDING' }]);
    expect(waits.at(-1)).toBe(2_000);
  },
);
