import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../src/events/model/subscription.ts';
import type { Transaction } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { migratedEngines } from '../support/test-engines.ts';

describe.each(migratedEngines)('publishing on $engine', ({ createStore }) => {
  const open = async () => {
    const database = await (await createStore()).open();
    const delivery = await openTestDelivery(database);
    /** The ids of the events queued for a subscription, in order. */
    const queuedFor = async (id: string): Promise<string[]> => {
      const rows = await database.all<{ id: string }>(sql`
        SELECT events_published.id FROM events_lanes
        JOIN events_deliveries ON events_deliveries.lane = events_lanes.lane
        JOIN events_published ON position = event
        WHERE subscription_id = ${id} ORDER BY number`);
      return rows.map((row) => row.id);
    };
    return { database, delivery, queuedFor };
  };

  test('stores an event once by source and id [E14.4]', async () => {
    const { delivery, queuedFor } = await open();
    const { subscription } = await delivery.subscribe({});
    const { id, targetResource } = subscription;
    const first = shopOrder('e1', targetResource);
    const twice = [first, shopOrder('e2', targetResource), shopOrder('e2', targetResource)];
    const { publisher } = delivery;
    expect(await publisher.publish([first])).toEqual({ accepted: 1, duplicates: 0 });
    expect(await publisher.publish(twice)).toEqual({ accepted: 1, duplicates: 2 });
    const elsewhere = shopOrder('e1', targetResource, { source: '//other' });
    expect(await publisher.publish([elsewhere])).toEqual({ accepted: 1, duplicates: 0 });
    expect(await queuedFor(id)).toEqual(['e1', 'e2', 'e1']);
  });

  test('accepts an event once when several calls publish it at the same time [E14.4]', async () => {
    const { delivery, queuedFor } = await open();
    const { subscription } = await delivery.subscribe({});
    const event = shopOrder('e1', subscription.targetResource);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => delivery.publisher.publish([event])),
    );
    expect(results.map(({ accepted }) => accepted).sort()).toEqual([0, 0, 0, 0, 1]);
    expect(await queuedFor(subscription.id)).toEqual(['e1']);
  });

  test('stores an event before it answers [E14.3]', async () => {
    const { database, delivery } = await open();
    await delivery.publisher.publish([shopOrder('e1', '//shop/orders/1')]);
    const rows = await database.all(sql`SELECT id FROM events_published`);
    expect(rows).toEqual([{ id: 'e1' }]);
  });

  test('queues an event for those whose target it is on or below, and for no other [E14.6, E14.7]', async () => {
    const { delivery, queuedFor } = await open();
    const subscribe = async (order: string, changes = {}) => {
      const targetResource = `//shop/orders/${order}`;
      const { subscription } = await delivery.subscribe({ targetResource, ...changes });
      return subscription.id;
    };
    const seven = await subscribe('7', { principal: 'a' });
    const other = await subscribe('8');
    const longer = await subscribe('77');
    const all = await subscribe('-');
    const otherType = await subscribe('7', { principal: 'b', eventTypes: ['shop.order.v1.paid'] });
    await delivery.publisher.publish([
      shopOrder('on', '//shop/orders/7'),
      shopOrder('below', '//shop/orders/7/lines/3'),
    ]);
    expect(await queuedFor(seven)).toEqual(['on', 'below']);
    expect(await queuedFor(all)).toEqual(['on', 'below']);
    for (const id of [other, longer, otherType]) expect(await queuedFor(id)).toEqual([]);
  });

  test('a folder subscription gets no events of the files in it unless it asks for descendants [E2.16]', async () => {
    const { delivery, queuedFor } = await open();
    const targetResource = '//drive.googleapis.com/files/F';
    const eventTypes = ['google.workspace.drive.file.v3.created'];
    const subscribe = async (principal: string, includeDescendants: boolean) => {
      const options = { driveOptions: { includeDescendants } };
      const changes = { principal, targetResource, eventTypes, options };
      return (await delivery.subscribe(changes)).subscription.id;
    };
    const narrow = await subscribe('a', false);
    const wide = await subscribe('b', true);
    const type = eventTypes[0]!;
    await delivery.publisher.publish([
      shopOrder('itself', targetResource, { type }),
      shopOrder('comment', `${targetResource}/comments/1`, { type }),
      shopOrder('inside', `${targetResource}/files/G`, { type }),
    ]);
    expect(await queuedFor(narrow)).toEqual(['itself', 'comment']);
    expect(await queuedFor(wide)).toEqual(['itself', 'comment', 'inside']);
  });

  test('many similar events at once reach every subscriber as batch events [E10.7]', async () => {
    const { database, delivery, queuedFor } = await open();
    const type = 'google.workspace.chat.message.v1.created';
    const subscribe = async (principal: string, space: string) => {
      const targetResource = `//chat.googleapis.com/spaces/${space}`;
      const changes = { principal, targetResource, eventTypes: [type] };
      return (await delivery.subscribe(changes)).subscription.id;
    };
    const ids = [await subscribe('a', 'A'), await subscribe('b', 'A'), await subscribe('c', '-')];
    const messages = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) =>
        shopOrder(`m${from + n}`, `//chat.googleapis.com/spaces/A/messages/${from + n}`, {
          type,
          data: { message: { name: `spaces/A/messages/${from + n}` } },
        }),
      );
    await delivery.publisher.publish(messages(0, 3));
    await delivery.publisher.publish(messages(3, 120));
    for (const id of ids) {
      expect(await queuedFor(id)).toEqual(['m0', 'm1', 'm2', expect.stringMatching(/^batch-/)]);
    }
    const rows = await database.all<{ type: string; data: string }>(
      sql`SELECT type, data FROM events_published WHERE id LIKE 'batch-%'`,
    );
    for (const row of rows) {
      expect(row.type).toBe('google.workspace.chat.message.v1.batchCreated');
      expect(JSON.parse(row.data).messages).toHaveLength(120);
    }
  });

  test('commits the work of its caller with the events, or neither', async () => {
    const { delivery, queuedFor } = await open();
    const { subscription } = await delivery.subscribe({});
    const event = shopOrder('e1', subscription.targetResource);
    const only = shopOrder('e2', '//elsewhere/x');
    const { publishWith, publishTo } = delivery.publisher;
    const work = async (tx: Transaction) => {
      await publishTo(tx, { subscriptionIds: [subscription.id], events: [only] });
    };
    const failing = publishWith([event], async (tx) => {
      await work(tx);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await queuedFor(subscription.id)).toEqual([]);
    expect(await publishWith([event], work)).toEqual({ accepted: 1, duplicates: 0 });
    expect(await queuedFor(subscription.id)).toEqual(['e2', 'e1']);
  });

  test('keeps the order of acceptance of many publishers at once [E10.13]', async () => {
    const { database, delivery } = await open();
    const targets: Subscription[] = [];
    for (let n = 0; n < 3; n++) targets.push((await delivery.subscribe({})).subscription);
    await Promise.all(
      Array.from({ length: 20 }, (_, publisher) =>
        delivery.publisher.publish(
          targets.flatMap(({ targetResource }) =>
            [1, 2].map((n) => shopOrder(`${publisher}-${n}-${targetResource}`, targetResource)),
          ),
        ),
      ),
    );
    for (const { id } of targets) {
      const rows = await database.all<{ number: number }>(sql`
        SELECT number FROM events_deliveries
        JOIN events_lanes ON events_lanes.lane = events_deliveries.lane
        WHERE subscription_id = ${id} ORDER BY number`);
      expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    }
  });
});
