import { HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { DeliveryOptions } from '../../src/events/create-delivery.ts';
import { listDeliveries } from '../../src/events/delivery/list-deliveries.ts';
import { type ContentMode, contentModes } from '../../src/events/model/subscription.ts';
import { lanesChannel, lanesChannelOf } from '../../src/events/store/lanes/lane-notices.ts';
import { createSealer } from '../../src/kernel/crypto/sealer.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { eventually } from '../support/eventually.ts';
import { deliveryDefaults } from '../support/open-delivery.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { type Received, startWebhookReceiver } from '../support/webhook-receiver.ts';

const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['ce-id']);
const sealer = createSealer({
  masterKey: new Uint8Array(32),
  purpose: 'test',
  random: systemRandom,
});

describe.each(migratedEngines)('delivery on $engine', ({ createStore }) => {
  const open = async (changes: Partial<DeliveryOptions> = {}) => {
    const database = await (await createStore()).open();
    const delivery = await openTestDelivery(database, changes);
    return {
      database,
      delivery,
      start: () => {
        const workers = delivery.createWorkers({ suspend: delivery.suspend });
        return workers.map(startWorker);
      },
      subscribeTo: async (uri: string, contentMode: ContentMode = 'BINARY', others = {}) =>
        delivery.subscribe({
          notificationEndpoint: { kind: 'webhook', uri, contentMode },
          ...others,
        }),
      deliveries: async (subscriptionId: string, query = {}) =>
        listDeliveries({ database, catchUp: async () => {}, sealer }, { subscriptionId, ...query }),
    };
  };

  test('brings every accepted event to its webhook, in order [E10.12, E10.13]', async () => {
    const { delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    start();
    const events = Array.from({ length: 50 }, (_, n) =>
      shopOrder(`e${n}`, subscription.targetResource),
    );
    await delivery.publisher.publish(events);
    await receiver.got(50);
    expect(idsOf(receiver.received)).toEqual(events.map(({ id }) => id));
  });

  test.each(contentModes)(
    'standardwebhooks and cloudevents take every delivery in %s mode [E10.1, E10.2, E10.3, E10.14, E10.19, E10.20, E10.21, E10.22, E11.6, E11.7, E14.8]',
    async (mode) => {
      const { delivery, start, subscribeTo } = await open();
      const receiver = await startWebhookReceiver();
      const { subscription, secret } = await subscribeTo(receiver.url, mode);
      const { id, targetResource } = subscription;
      await delivery.publisher.publish([1, 2, 3].map((n) => shopOrder(`e${n}`, targetResource)));
      start();
      await receiver.got(mode === 'BATCH' ? 1 : 3);
      const read = receiver.received.flatMap(({ headers, body }) => {
        const flat = headers as Record<string, string>;
        new Webhook(secret!).verify(body, flat);
        expect(flat['webhook-timestamp']).toMatch(/^\d{10}$/);
        const events = [HTTP.toEvent({ headers: flat, body })].flat();
        if (mode !== 'BATCH') expect(flat['webhook-id']).toBe(events[0]?.id);
        return events;
      });
      expect(read).toMatchObject(
        [1, 2, 3].map((n) => ({
          id: `e${n}`,
          source: `//events.test/subscriptions/${id}`,
          specversion: '1.0',
          type: 'shop.order.v1.created',
          subject: targetResource,
          data: { order: { name: 'orders/1', total: 7 } },
        })),
      );
    },
  );

  test('a claim that was lost in a crash of the store is made again, and the delivery continues [E10.12]', async () => {
    const { database, delivery, start, subscribeTo } = await open();
    const { publisher } = delivery;
    const receiver = await startWebhookReceiver(async (_, index) => {
      if (index > 0) return { status: 204 };
      await database.run(sql`UPDATE events_lanes SET owner = NULL, claim = claim - 1`);
      await publisher.publish([shopOrder('e2', target)]);
      await eventually(async () =>
        expect(
          await database.first(sql`SELECT owner IS NULL AS is_free FROM events_lanes`),
        ).toEqual({
          is_free: 0,
        }),
      );
      return { status: 204 };
    });
    const { subscription } = await subscribeTo(receiver.url);
    const target = subscription.targetResource;
    start();
    await publisher.publish([shopOrder('e1', target)]);
    await receiver.got(2);
    expect(idsOf(receiver.received)).toEqual(['e1', 'e2']);
  });

  test('a lane whose release was lost in a crash of the store is delivered again [E10.12, E10.14]', async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    const { database, delivery, start, subscribeTo } = await open({ clock });
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    const publish = (id: string) =>
      delivery.publisher.publish([shopOrder(id, subscription.targetResource)]);
    start();
    await publish('e1');
    await eventually(async () =>
      expect(await database.first(sql`SELECT owner, cursor FROM events_lanes`)).toEqual({
        owner: null,
        cursor: 1,
      }),
    );
    await database.run(sql`
      UPDATE events_lanes SET owner = (SELECT owner FROM events_workers), cursor = 0, due_at = 0`);
    ahead = 5_000;
    await publish('e2');
    await receiver.got(3);
    expect(idsOf(receiver.received)).toEqual(['e1', 'e1', 'e2']);
  });

  test('a lane that has delivered everything continues with the next event without another claim [E12.4]', async () => {
    const { database, delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    start();
    for (let n = 1; n <= 3; n++) {
      await delivery.publisher.publish([shopOrder(`e${n}`, subscription.targetResource)]);
      await receiver.got(n);
    }
    expect(await database.all(sql`SELECT claim FROM events_lanes`)).toEqual([{ claim: 1 }]);
    const isFree = sql`SELECT lane FROM events_lanes WHERE owner IS NULL AND cursor = 3`;
    await eventually(async () => expect(await database.all(isFree)).toHaveLength(1));
  });

  test('a lane that is taken away while it waits is claimed again for the next event [E10.14]', async () => {
    const { database, delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    start();
    await delivery.publisher.publish([shopOrder('e1', subscription.targetResource)]);
    await receiver.got(1);
    const written = sql`SELECT lane FROM events_lanes WHERE cursor = 1`;
    await eventually(async () => expect(await database.all(written)).toHaveLength(1));
    await database.transaction(async (tx) => {
      await tx.run(sql`UPDATE events_lanes SET owner = NULL`);
      tx.notify(lanesChannel);
    });
    await delivery.publisher.publish([shopOrder('e2', subscription.targetResource)]);
    await receiver.got(2);
    expect(idsOf(receiver.received)).toEqual(['e1', 'e2']);
  });

  test('an append notifies the owner of the lane, or else every process, and none if the lane is due later [E12.4]', async () => {
    const { database, delivery, subscribeTo } = await open();
    const { subscription } = await subscribeTo('http://127.0.0.1:9');
    const heard: unknown[] = [];
    await database.listen(lanesChannel, (detail) => heard.push(detail));
    await database.listen(lanesChannelOf('someone'), (detail) => heard.push(detail));
    const publish = async (id: string, dueAt: number | null, owner: string | null) => {
      await database.run(sql`UPDATE events_lanes SET due_at = ${dueAt}, owner = ${owner}`);
      await delivery.publisher.publish([shopOrder(id, subscription.targetResource)]);
      // Notifications arrive in order: after this one, none of the publication is missing.
      await database.transaction(async (tx) => tx.notify(lanesChannel, id));
      await eventually(() => expect(heard).toContain(id));
    };
    const later = systemClock.now() + 60_000;
    await publish('idle', null, null);
    await publish('due', 1, null);
    await publish('waiting', later, null);
    await publish('held', later, 'someone');
    expect(heard).toEqual(['', 'idle', '', 'due', 'waiting', 'read:1', 'held']);
  });

  test('a failing lane whose events were pruned returns to its initial state [E14.38]', async () => {
    const { database, delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver((_, index) => ({
      status: index === 0 ? 500 : 204,
    }));
    const { subscription } = await subscribeTo(receiver.url);
    start();
    await delivery.publisher.publish([shopOrder('e1', subscription.targetResource)]);
    await receiver.got(1);
    await database.run(sql`DELETE FROM events_deliveries`);
    const lane = sql`SELECT attempts, failing_since, due_at, owner FROM events_lanes`;
    const asNew = { attempts: 0, failing_since: null, due_at: null, owner: null };
    await eventually(async () => expect(await database.all(lane)).toEqual([asNew]));
    await delivery.publisher.publish([shopOrder('e2', subscription.targetResource)]);
    await receiver.got(2);
    expect(idsOf(receiver.received)).toEqual(['e1', 'e2']);
  });

  test('goes on behind events that were pruned before their places in the queue [E14.38]', async () => {
    const { database, delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    const ids = ['o1', 'o2', 'o3', 'o4', 'o5', 'live'];
    await delivery.publisher.publish(ids.map((id) => shopOrder(id, subscription.targetResource)));
    await database.run(sql`DELETE FROM events_published WHERE id <> 'live'`);
    start();
    await receiver.got(1);
    expect(idsOf(receiver.received)).toEqual(['live']);
  });

  test('retries in order with the same id, and later events wait [E10.14, E14.30, E14.34]', async () => {
    const { delivery, start, subscribeTo, deliveries } = await open();
    const receiver = await startWebhookReceiver((_, index) => ({ status: index < 2 ? 500 : 204 }));
    const { subscription } = await subscribeTo(receiver.url);
    await delivery.publisher.publish(
      ['e1', 'e2'].map((id) => shopOrder(id, subscription.targetResource)),
    );
    start();
    await receiver.got(4);
    expect(idsOf(receiver.received)).toEqual(['e1', 'e1', 'e1', 'e2']);
    await eventually(async () => {
      const { deliveries: listed } = await deliveries(subscription.id);
      expect(listed.map(({ state }) => state)).toEqual(['DELIVERED', 'DELIVERED']);
      expect(listed[0]?.attempts.map(({ status }) => status)).toEqual([500, 500, 204]);
      expect(listed[0]?.attempts[0]).toMatchObject({ error: expect.stringContaining('500') });
    });
  });

  test('a batch of large events has few of them, in order [N1]', async () => {
    const { delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url, 'BATCH');
    const ids = ['e1', 'e2', 'e3', 'e4', 'e5'];
    const data = { order: { name: 'orders/1', text: 'x'.repeat(200_000) } };
    await delivery.publisher.publish(
      ids.map((id) => ({ ...shopOrder(id, subscription.targetResource), data })),
    );
    start();
    await receiver.got(3);
    const batches = receiver.received.map(({ body }) =>
      JSON.parse(body).map(({ id }: { id: string }) => id),
    );
    expect(batches).toEqual([['e1', 'e2'], ['e3', 'e4'], ['e5']]);
  });

  test('a batch that failed is sent again as it was [E10.20]', async () => {
    const { delivery, start, subscribeTo } = await open();
    const { publisher } = delivery;
    const receiver = await startWebhookReceiver(async (_, index) => {
      if (index > 0) return { status: 204 };
      await publisher.publish([shopOrder('late', target)]);
      return { status: 500 };
    });
    const { subscription } = await subscribeTo(receiver.url, 'BATCH');
    const target = subscription.targetResource;
    await publisher.publish(['e1', 'e2'].map((id) => shopOrder(id, target)));
    start();
    await receiver.got(3);
    const [first, second, third] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(third?.body).toContain('"late"');
  });

  test.each([
    ['of a told length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('a 2xx counts as accepted whatever follows the status, %s [E14.27]', async (_, headers) => {
    const { delivery, start, subscribeTo, deliveries } = await open();
    const body = 'x'.repeat(65_537);
    const receiver = await startWebhookReceiver(() => ({ status: 200, headers, body }));
    const { subscription } = await subscribeTo(receiver.url);
    await delivery.publisher.publish(
      ['e1', 'e2'].map((id) => shopOrder(id, subscription.targetResource)),
    );
    start();
    await eventually(async () => {
      const { deliveries: listed } = await deliveries(subscription.id);
      expect(listed.map(({ state, attempts }) => [state, attempts.length])).toEqual([
        ['DELIVERED', 1],
        ['DELIVERED', 1],
      ]);
    });
  });

  test('honours Retry-After [E14.29]', async () => {
    const { delivery, start, subscribeTo, deliveries } = await open();
    const receiver = await startWebhookReceiver(() => ({
      status: 503,
      headers: { 'retry-after': '40' },
    }));
    const { subscription } = await subscribeTo(receiver.url);
    await delivery.publisher.publish([shopOrder('e1', subscription.targetResource)]);
    start();
    await eventually(async () => {
      const { deliveries: listed } = await deliveries(subscription.id, { state: 'RETRYING' });
      const [one] = listed;
      const waits = Date.parse(one!.nextAttemptTime!) - Date.parse(one!.attempts[0]!.time);
      expect(waits).toBeGreaterThanOrEqual(40_000);
    });
  });

  test.each([
    [401, 'ENDPOINT_PERMISSION_DENIED'],
    [404, 'ENDPOINT_NOT_FOUND'],
    [429, 'ENDPOINT_RESOURCE_EXHAUSTED'],
    [500, 'OTHER'],
  ])(
    'an endpoint that answers %i through its window is suspended with %s [E2.34, E2.35, E2.36, E2.37, E12.3, E14.32]',
    async (status, reason) => {
      const settings = { ...deliveryDefaults.settings, retryWindow: 100 };
      const { delivery, start, subscribeTo, deliveries } = await open({ settings });
      const receiver = await startWebhookReceiver(() => ({ status }));
      const { subscription } = await subscribeTo(receiver.url);
      const { id, targetResource } = subscription;
      await delivery.publisher.publish(['e1', 'e2'].map((one) => shopOrder(one, targetResource)));
      start();
      await eventually(async () => {
        const { deliveries: listed } = await deliveries(id);
        expect(listed.map((one) => [one.eventId.split('-').at(-1), one.state, one.reason])).toEqual(
          [
            ['e1', 'UNDELIVERED', reason],
            ['e2', 'HELD', reason],
            ['suspended', 'UNDELIVERED', expect.stringContaining(String(status))],
          ],
        );
      });
      expect(await delivery.find(id)).toMatchObject({
        state: 'SUSPENDED',
        suspensionReason: reason,
      });
      const types = receiver.received.map(({ headers }) => headers['ce-type']);
      expect(types.filter((type) => String(type).endsWith('.suspended'))).toHaveLength(1);
      expect(idsOf(receiver.received)).not.toContain('e2');
    },
  );

  test('a 410 suspends at once, and the suspended event is tried once [E2.38, E14.32, E10.8, E10.9]', async () => {
    const { delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver(() => ({ status: 410 }));
    const { subscription } = await subscribeTo(receiver.url);
    const { id, targetResource } = subscription;
    await delivery.publisher.publish([shopOrder('e1', targetResource)]);
    start();
    await receiver.got(2);
    const [, told] = receiver.received;
    const source = `//events.test/subscriptions/${id}`;
    expect(told?.headers).toMatchObject({ 'ce-source': source, 'ce-subject': source });
    expect(told?.headers['ce-type']).toBe('google.workspace.events.subscription.v1.suspended');
    expect(JSON.parse(told!.body)).toEqual({
      subscription: { name: `subscriptions/${id}`, suspension_reason: 'ENDPOINT_NOT_FOUND' },
    });
  });

  test('held events are listed, stay held after reactivation, and are replayed on demand [E12.2, E12.5, E5.10, E14.35, E14.36, E14.37]', async () => {
    const { database, delivery, start, subscribeTo, deliveries } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    const { id, targetResource } = subscription;
    const method = delivery
      .methods({ findOwn: async () => subscription, readableOf: async (_, ids) => new Set(ids) })
      .find((one) => one.method.id === 'subscriptions.replay')!;
    const replay = async (body: object) =>
      // All that it looks at.
      method.answer({ name: id, caller: { scope: [] }, readBody: async () => body } as never);
    await delivery.publisher.publish([shopOrder('before', targetResource)]);
    start();
    await receiver.got(1);
    await delivery.suspend(id, 'USER_SCOPE_REVOKED');
    await receiver.got(2);
    await delivery.publisher.publish([1, 2, 3].map((n) => shopOrder(`held${n}`, targetResource)));
    await expect(replay({})).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    await database.transaction((tx) => delivery.queues.resume(tx, id));
    await delivery.publisher.publish([shopOrder('after', targetResource)]);
    await receiver.got(3);
    expect(idsOf(receiver.received)).toEqual([
      'before',
      expect.stringMatching('suspended'),
      'after',
    ]);
    await eventually(async () => {
      const { deliveries: held } = await deliveries(id, { state: 'HELD' });
      expect(held.map(({ eventId, reason }) => [eventId, reason])).toEqual(
        [1, 2, 3].map((n) => [`held${n}`, 'USER_SCOPE_REVOKED']),
      );
    });
    expect(await replay({ eventIds: ['held2'] })).toEqual({ replayed: 1 });
    expect(await replay({ eventTypes: ['shop.order.v1.paid'] })).toEqual({ replayed: 0 });
    expect(await replay({ endTime: '2020-01-01T00:00:00Z' })).toEqual({ replayed: 0 });
    await receiver.got(4);
    expect(idsOf(receiver.received).at(-1)).toBe('held2');
    const left = await deliveries(id, { state: 'HELD' });
    expect(left.deliveries.map(({ eventId }) => eventId)).toEqual(['held1', 'held3']);
  });

  test('pages through the log, one delivery once [E14.33]', async () => {
    const { delivery, subscribeTo, deliveries } = await open();
    const { subscription } = await subscribeTo('http://127.0.0.1:9');
    const { id, targetResource } = subscription;
    await delivery.publisher.publish(
      [1, 2, 3, 4, 5].map((n) => shopOrder(`e${n}`, targetResource)),
    );
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await deliveries(id, { pageSize: 2, state: 'PENDING', pageToken });
      seen.push(...page.deliveries.map(({ eventId }) => eventId));
      expect(page.deliveries[0]).toMatchObject({
        eventType: 'shop.order.v1.created',
        attempts: [],
      });
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    expect(seen).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
    const refused = { code: 'INVALID_ARGUMENT' };
    await expect(deliveries(id, { pageToken: 'forged' })).rejects.toMatchObject(refused);
    await expect(deliveries(id, { pageSize: -1 })).rejects.toMatchObject(refused);
  });

  test('an expired subscription gets its pending events and the expired event, and is removed [E10.8, E5.7]', async () => {
    const { database, delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    const { id, targetResource } = subscription;
    await delivery.publisher.publish([shopOrder('e1', targetResource)]);
    await database.transaction(async (tx) => {
      const event = shopOrder('expired', `//events.test/subscriptions/${id}`);
      await delivery.queues.enqueue(tx, { id, event });
      await delivery.queues.finish(tx, id);
    });
    start();
    await receiver.got(2);
    expect(idsOf(receiver.received)).toEqual(['e1', 'expired']);
  });

  test('a deleted subscription is sent nothing more [E5.8]', async () => {
    const { database, delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription: gone } = await subscribeTo(receiver.url);
    const { subscription: kept } = await subscribeTo(receiver.url);
    await delivery.publisher.publish([shopOrder('e1', gone.targetResource)]);
    await database.transaction((tx) => delivery.queues.remove(tx, gone.id));
    await delivery.publisher.publish([
      shopOrder('e2', gone.targetResource),
      shopOrder('e3', kept.targetResource),
    ]);
    start();
    await receiver.got(1);
    expect(idsOf(receiver.received)).toEqual(['e3']);
  });

  test('dead endpoints hold up nobody else [E12.4, E14.31]', async () => {
    const { delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const slow = await startWebhookReceiver(() => new Promise(() => {}));
    const bad = [];
    for (let n = 0; n < 60; n++) {
      const uri = n % 2 === 0 ? `${slow.url}/${n}` : 'http://127.0.0.1:9';
      bad.push((await subscribeTo(uri)).subscription);
    }
    const { subscription: good } = await subscribeTo(receiver.url);
    start();
    for (let n = 0; n < 20; n++) {
      const targets = [...bad, good].map(({ targetResource }) => targetResource);
      await delivery.publisher.publish(
        targets.map((target) => shopOrder(`${n}-${target}`, target)),
      );
    }
    await receiver.got(20);
    expect(receiver.received).toHaveLength(20);
  });

  test('goes on behind a gap that pruning left, however wide [E14.38]', async () => {
    const { database, delivery, start, subscribeTo } = await open();
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    const events = Array.from({ length: 20 }, (_, n) =>
      shopOrder(`e${n}`, subscription.targetResource),
    );
    await delivery.publisher.publish(events);
    await database.run(sql`DELETE FROM events_deliveries WHERE number <= 18`);
    start();
    await receiver.got(2);
    expect(idsOf(receiver.received)).toEqual(['e18', 'e19']);
  });

  test('forgets events and their log when their time is over [E14.38, E12.7]', async () => {
    const settings = { ...deliveryDefaults.settings, eventRetention: 1_000 };
    let now = Date.now();
    const clock = { ...deliveryDefaults.clock, now: () => now };
    const { database, delivery, start, subscribeTo, deliveries } = await open({ settings, clock });
    const receiver = await startWebhookReceiver();
    const { subscription } = await subscribeTo(receiver.url);
    const { id, targetResource } = subscription;
    await delivery.publisher.publish([1, 2].map((n) => shopOrder(`old${n}`, targetResource)));
    start();
    await receiver.got(2);
    now += 2_000;
    await delivery.publisher.publish([shopOrder('new', targetResource)]);
    await eventually(async () => {
      const { deliveries: listed } = await deliveries(id);
      expect(listed.map(({ eventId }) => eventId)).toEqual(['new']);
      expect(await countEvents(database)).toBe(1);
    });
  });
});

async function countEvents(database: Database) {
  const row = await database.first<{ events: number }>(
    sql`SELECT COUNT(*) AS events FROM events_published`,
  );
  return row?.events;
}
