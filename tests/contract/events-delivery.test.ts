import { describe, expect, test } from 'vitest';
import type { NewEvent } from '../../src/events/publishing/event.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { startWorker } from '../support/start-worker.ts';
import { testEngines } from '../support/test-engines.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const order = (id: string, subject: string): NewEvent => ({
  id,
  source: '//shop',
  type: 'shop.order.v1.created',
  subject,
  occurredAt: Date.UTC(2026, 0, 1),
  data: { order: { name: 'orders/1', total: 7 } },
});

describe.each(testEngines)('delivery on $engine', ({ createStore }) => {
  test('brings every accepted event to its webhook, in order [E10.12, E10.13]', async () => {
    const database = await (await createStore()).open();
    const delivery = await openTestDelivery(database);
    const receiver = await startWebhookReceiver();
    const { subscription } = await delivery.subscribe({
      notificationEndpoint: { kind: 'webhook', uri: receiver.url, contentMode: 'BINARY' },
    });
    for (const worker of delivery.createWorkers({ suspend: delivery.suspend })) startWorker(worker);
    const events = Array.from({ length: 50 }, (_, n) =>
      order(`e${n}`, subscription.targetResource),
    );
    expect(await delivery.publisher.publish(events)).toEqual({ accepted: 50, duplicates: 0 });
    await receiver.got(50);
    expect(receiver.received.map(({ headers }) => headers['ce-id'])).toEqual(
      events.map(({ id }) => id),
    );
  });
});
