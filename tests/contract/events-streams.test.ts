import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { principalOf } from '../../src/events/model/caller.ts';
import type { Subscription } from '../../src/events/model/subscription.ts';
import { findStream, readStreamEvents } from '../../src/events/store/lanes/stream-store.ts';
import type { Queries, Row } from '../../src/kernel/database/database.ts';
import { type Sql, sql } from '../../src/kernel/database/sql.ts';
import type { Clock } from '../../src/kernel/wait/clock.ts';
import { countQueries } from '../support/count-queries.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

type Sent = { readonly id: string; readonly data: Record<string, unknown> };

/** Reads server-sent events one by one, as a client of a stream would. */
function readEvents(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const close = () => reader.cancel();
  onTestFinished(close);
  const next = async (): Promise<Sent> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const fields = new Map(lines.map((line) => line.split(/: (.*)/s) as [string, string]));
        if (!fields.has('data')) continue;
        return { id: fields.get('id')!, data: JSON.parse(fields.get('data')!) };
      }
      const { done, value } = await reader.read();
      if (done) throw new Error('The stream ended.');
      text += value;
    }
  };
  return { next, close };
}

describe.each(migratedEngines)('streams on $engine', ({ createStore }) => {
  const caller = {
    subject: 'c',
    clientId: 'client',
    isPerson: false,
    scope: [],
    expiresAt: Number.POSITIVE_INFINITY,
  };
  const open = async () => {
    const world = await openWithoutWorkers();
    const { delivery } = world;
    for (const worker of delivery.createWorkers({ suspend: delivery.suspend })) startWorker(worker);
    return world;
  };
  const openWithoutWorkers = async (changes: { clock?: Clock } = {}) => {
    const { database, count } = countQueries(await (await createStore()).open());
    const delivery = await openTestDelivery(database, changes);
    const listen = async (of: Subscription | string, lastEventId?: string, who = caller) => {
      const isTopic = typeof of === 'string';
      const methodId = isTopic ? 'projects.topics.listen' : 'subscriptions.listen';
      const methods = delivery.methods({
        findOwn: async () => of as Subscription,
        readableOf: async (_, ids) => new Set(ids),
      });
      const method = methods.find((one) => one.method.id === methodId)!;
      const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const request = new Request('http://events.test/', { headers });
      const name = isTopic ? of : of.id;
      const call = { caller: who, name, request } as never; // all that it looks at
      return (await method.answer(call)) as Response;
    };
    return { database, count, delivery, listen };
  };

  test('a stream gives what waits and what comes [E14.20]', async () => {
    const { delivery, listen } = await open();
    const { subscription } = await delivery.subscribe({});
    const { id, targetResource } = subscription;
    await delivery.publisher.publish([shopOrder('e1', targetResource)]);
    const response = await listen(subscription);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const stream = readEvents(response);
    expect((await stream.next()).data).toMatchObject({
      specversion: '1.0',
      id: 'e1',
      source: `//events.test/subscriptions/${id}`,
      subject: targetResource,
      data: { order: { name: 'orders/1' } },
    });
    await delivery.publisher.publish([shopOrder('e2', targetResource)]);
    expect((await stream.next()).data).toMatchObject({ id: 'e2' });
  });

  test('resumed with Last-Event-ID it goes on right after that event [E14.21]', async () => {
    const { delivery, listen } = await open();
    const { subscription } = await delivery.subscribe({});
    const publish = (...ids: string[]) =>
      delivery.publisher.publish(ids.map((id) => shopOrder(id, subscription.targetResource)));
    await publish('e1', 'e2', 'e3');
    const stream = readEvents(await listen(subscription));
    const first = await stream.next();
    await stream.next();
    await stream.close();
    await publish('e4');
    const resumed = readEvents(await listen(subscription, first.id));
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await resumed.next()).data.id);
    expect(ids).toEqual(['e2', 'e3', 'e4']);
    await expect(listen(subscription, 'never')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('an event that comes between the reads of a stream is not passed over [E14.20]', async () => {
    const { database, delivery } = await openWithoutWorkers();
    const { subscription } = await delivery.subscribe({});
    const publish = (...ids: string[]) =>
      delivery.publisher.publish(ids.map((id) => shopOrder(id, subscription.targetResource)));
    await publish('e1', 'e2', 'e3');
    const { lane } = (await findStream(database, subscription.id))!;
    const interrupted: Queries = {
      ...database,
      async all<Found extends Row>(statement: Sql) {
        const rows = await database.all<Found>(statement);
        if (rows.length === 3) await publish('e4', 'e5');
        return rows;
      },
    };
    const events = await readStreamEvents(interrupted, lane, { after: 0, limit: 4 });
    expect(events.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3', 'e4']);
  });

  test('several readers get everything each', async () => {
    const { delivery, listen } = await open();
    const { subscription } = await delivery.subscribe({});
    const readers = [await listen(subscription), await listen(subscription)].map(readEvents);
    const waiting = readers.map((reader) => reader.next());
    await delivery.publisher.publish([shopOrder('e1', subscription.targetResource)]);
    for (const { data } of await Promise.all(waiting)) expect(data.id).toBe('e1');
  });

  test('events that arrive during a suspension are held, and lifecycle events are not [E5.10, E10.8]', async () => {
    const { database, delivery, listen } = await open();
    const { subscription } = await delivery.subscribe({});
    const { id, targetResource } = subscription;
    const stream = readEvents(await listen(subscription));
    await delivery.suspend(id, 'OTHER');
    expect((await stream.next()).data.type).toMatch('suspended');
    await delivery.publisher.publish([shopOrder('held', targetResource)]);
    await database.transaction((tx) => delivery.queues.resume(tx, id));
    await delivery.publisher.publish([shopOrder('after', targetResource)]);
    expect((await stream.next()).data.id).toBe('after');
  });

  test('the events of a webhook are not streamed', async () => {
    const { delivery, listen } = await open();
    const { subscription } = await delivery.subscribe({
      notificationEndpoint: { kind: 'webhook', uri: 'http://127.0.0.1:9', contentMode: 'BINARY' },
    });
    await expect(listen(subscription)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });

  test('a topic of this server gives messages as Pub/Sub pushes them, of the own subscriptions only [E10.10, E10.11, E14.22, E14.23]', async () => {
    const { delivery, listen } = await open();
    const topic = 'projects/p/topics/t';
    const endpoint = { kind: 'pubsubTopic', topic } as const;
    const principal = principalOf(caller);
    const subscribe = async (who: string) =>
      (await delivery.subscribe({ principal: who, notificationEndpoint: endpoint })).subscription;
    const [a, b] = [await subscribe(principal), await subscribe(principal)];
    const foreign = await subscribe('somebody else');
    const publish = (id: string, { targetResource }: Subscription) =>
      delivery.publisher.publish([shopOrder(id, targetResource)]);
    await publish('foreign', foreign);
    await publish('e1', a);
    const stream = readEvents(await listen(topic));
    const first = await stream.next();
    const source = `//events.test/subscriptions/${a.id}`;
    expect(first.data).toEqual({
      message: {
        attributes: {
          'ce-datacontenttype': 'application/json',
          'ce-id': 'e1',
          'ce-source': source,
          'ce-specversion': '1.0',
          'ce-subject': a.targetResource,
          'ce-time': '2026-01-01T00:00:00.000Z',
          'ce-type': 'shop.order.v1.created',
        },
        data: Buffer.from('{"order":{"name":"orders/1","total":7}}').toString('base64'),
        orderingKey: source,
        messageId: expect.any(String),
        // The time of publication here, not the time of the event.
        publishTime: expect.not.stringContaining('2026-01-01T'),
      },
      subscription: `projects/p/subscriptions/${a.id}`,
      deliveryAttempt: 1,
    });
    await publish('e2', b);
    expect(JSON.stringify((await stream.next()).data)).toContain('"ce-id":"e2"');
    const resumed = readEvents(await listen(topic, first.id));
    expect(JSON.stringify((await resumed.next()).data)).toContain('"ce-id":"e2"');
    const stranger = { ...caller, clientId: 'nobody' };
    await expect(listen(topic, undefined, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  /** A topic to which so many subscriptions of the caller publish, with an event of the last one. */
  const openTopic = async (subscriptions: number) => {
    const world = await openWithoutWorkers();
    const { delivery, database } = world;
    const topic = 'projects/p/topics/t';
    const subscribe = async () => {
      const notificationEndpoint = { kind: 'pubsubTopic', topic } as const;
      return delivery.subscribe({ principal: principalOf(caller), notificationEndpoint });
    };
    await subscribe();
    await database.run(sql`
      WITH RECURSIVE counted (n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${subscriptions - 2})
      INSERT INTO events_lanes (subscription_id, uid, principal, endpoint, topic, is_pushed, is_narrow, state)
      SELECT 'other' || n, 'other' || n, principal, endpoint, topic, is_pushed, is_narrow, state
      FROM counted JOIN events_lanes ON lane > 0`);
    const { subscription } = await subscribe();
    await delivery.publisher.publish([shopOrder('e1', subscription.targetResource)]);
    return { ...world, topic, subscription };
  };

  test('an event of a topic is read by as many queries, however many subscriptions it has [N11]', async () => {
    const queriesOf = async (subscriptions: number) => {
      const { listen, count, topic } = await openTopic(subscriptions);
      const before = count.queries;
      const { data } = await readEvents(await listen(topic)).next();
      expect(JSON.stringify(data)).toContain('"ce-id":"e1"');
      return count.queries - before;
    };
    expect(await queriesOf(200)).toBe(await queriesOf(3));
  });

  test('an event of a topic is read without what the other subscriptions ask for [N11]', async () => {
    const { listen, database, count, topic } = await openTopic(200);
    const payload = { includeResource: true, fieldMask: ['x'.repeat(4_000)] };
    await database.run(sql`UPDATE events_lanes SET payload = ${JSON.stringify(payload)}`);
    const before = count.characters;
    await readEvents(await listen(topic)).next();
    expect(count.characters - before).toBeLessThan(50_000);
  });

  test('an event of a topic has its subscriptions read twice at most, however many readers there are [N11]', async () => {
    const { listen, delivery, count, topic, subscription } = await openTopic(200);
    delivery.createWorkers({ suspend: delivery.suspend }).map(startWorker);
    const readers: ReturnType<typeof readEvents>[] = [];
    for (let n = 0; n < 20; n++) readers.push(readEvents(await listen(topic)));
    for (const { next } of readers) await next();
    const waiting = readers.map(({ next }) => next());
    await setImmediate();
    const before = count.rows;
    await delivery.publisher.publish([shopOrder('e2', subscription.targetResource)]);
    for (const { data } of await Promise.all(waiting)) {
      expect(JSON.stringify(data)).toContain('"ce-id":"e2"');
    }
    // All subscriptions twice, and a few rows for each reader.
    expect(count.rows - before).toBeLessThan(2 * 200 + 20 * 20);
  });

  test('an event that a reader reads again does not count as another attempt [N5]', async () => {
    const { database, delivery, listen } = await open();
    const { subscription } = await delivery.subscribe({});
    const publish = (id: string) =>
      delivery.publisher.publish([shopOrder(id, subscription.targetResource)]);
    await publish('e1');
    for (const id of ['e2', 'e3']) {
      const stream = readEvents(await listen(subscription, '0'));
      expect((await stream.next()).data.id).toBe('e1');
      if (id === 'e3') expect((await stream.next()).data.id).toBe('e2');
      // The next event on the stream confirms the delivery of those before it.
      await publish(id);
      expect((await stream.next()).data.id).toBe(id);
      await stream.close();
    }
    const noted = await database.all(
      sql`SELECT first_number FROM events_attempts ORDER BY position`,
    );
    expect(noted).toEqual([{ first_number: 1 }, { first_number: 2 }]);
  });

  test('an event of a topic with more subscriptions than can resume has no id [N5]', async () => {
    const [resumable, not] = [await openTopic(2_000), await openTopic(2_001)];
    const { id } = await readEvents(await resumable.listen(resumable.topic)).next();
    expect(id.length).toBeLessThan(14_000);
    await resumable.listen(resumable.topic, id);
    expect((await readEvents(await not.listen(not.topic)).next()).id).toBeUndefined();
  });

  test.each(['subscription', 'topic'])(
    'the stream of a %s ends with the token that began it [E14.20, E14.23, S3]',
    async (kind) => {
      const clock = createFakeClock();
      const { delivery, listen } = await openWithoutWorkers({ clock });
      const topic = 'projects/p/topics/t';
      const { subscription } = await delivery.subscribe({
        principal: principalOf(caller),
        notificationEndpoint:
          kind === 'topic' ? { kind: 'pubsubTopic', topic } : { kind: 'eventStream' },
      });
      const who = { ...caller, expiresAt: clock.now() + 10_000 };
      const stream = readEvents(
        await listen(kind === 'topic' ? topic : subscription, undefined, who),
      );
      const ended = expect(stream.next()).rejects.toThrow('The stream ended.');
      await clock.whenAsleep();
      clock.advance(10_000);
      await ended;
    },
  );

  test('a stream ends when the token that began it is revoked, while it waits for events [S1]', async () => {
    const clock = createFakeClock();
    const { delivery, listen } = await openWithoutWorkers({ clock });
    const { subscription } = await delivery.subscribe({});
    const revoked = Promise.withResolvers<void>();
    const who = {
      ...caller,
      onRevoked(callback: () => void) {
        void revoked.promise.then(callback);
        return () => {};
      },
    };
    const stream = readEvents(await listen(subscription, undefined, who));
    const ended = expect(stream.next()).rejects.toThrow('The stream ended.');
    await clock.whenAsleep();
    revoked.resolve();
    await ended;
  });
});
