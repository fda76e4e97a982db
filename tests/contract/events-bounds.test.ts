import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventsLimits } from '../../src/events/limits.ts';
import { measureVolume } from '../../src/events/store/queue/measure-store.ts';
import { insertEvents } from '../../src/events/store/queue/queue-store.ts';
import { createRequireRoom } from '../../src/events/subscriptions/create-require-room.ts';
import {
  type Database,
  DatabaseError,
  type Transaction,
} from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import {
  createTestSubscription as create,
  fileCreated,
  newSubscriptionBody,
  openTestEvents,
} from '../support/open-test-events.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const random = (length: number) => randomBytes(length).toString('base64').slice(0, length);
const newEvent = {
  source: '//test',
  type: fileCreated,
  subject: '//drive.googleapis.com/files/f1',
  occurredAt: 1_700_000_000_000,
  publishedBy: { principal: 'clients/app/users/alice', account: 'users/alice' },
};

describe.each(migratedEngines)('what is kept for others on $engine', ({ createStore }) => {
  const openMetered = async (
    eventStorage: number,
    subscribersAtOnce = 100,
    wrap = (database: Database) => database,
  ) => {
    const store = await createStore();
    const settings = { eventStorage };
    const database = wrap(await store.open());
    const events = await openTestEvents(database, { settings, subscribersAtOnce });
    const { clock } = events;
    const started = ['events-storage-meter', 'events-retention'];
    if (subscribersAtOnce === 0) started.push('events-fan-out');
    for (const worker of events.events.workers) {
      if (started.includes(worker.name)) startWorker(worker);
    }
    await clock.whenAsleep(started.length);
    let published = 0;
    const publish = async (as: string, bytes: number) => {
      const body = JSON.stringify({
        specversion: '1.0',
        id: `e${published++}`,
        source: '//test',
        type: fileCreated,
        subject: '//drive.googleapis.com/files/f1',
        data: { file: { name: random(bytes) } },
      });
      const headers = { 'Content-Type': 'application/cloudevents+json' };
      const answer = await events.call('POST', '/v1/events', { as, headers, body });
      return [answer.status, answer.body.error?.details[0].metadata?.whose];
    };
    /** Waits for two measurements: the second one counts what is there now. */
    const measure = async () => {
      for (let looks = 0; looks < 2; looks++) {
        clock.advance(5_000);
        await clock.whenAsleep(started.length);
      }
    };
    const forgetAll = async () => {
      clock.advance(8 * 24 * 3_600_000);
      await clock.whenAsleep(started.length);
      await measure();
    };
    return { publish, measure, forgetAll, database, events };
  };

  test('is a limited number of bytes of events, per publisher and in total, until older ones are pruned [N5]', async () => {
    const { publish, measure, forgetAll } = await openMetered(12_000);
    expect(await publish('publisher', 3_300)).toEqual([202, undefined]);
    await measure();
    expect(await publish('publisher', 1)).toEqual([429, 'one publisher']);
    expect(await publish('rival', 9_000)).toEqual([202, undefined]);
    await measure();
    expect(await publish('operator', 1)).toEqual([429, 'all publishers']);
    await forgetAll();
    expect(await publish('publisher', 1)).toEqual([202, undefined]);
  });

  test('is one share for all clients of a person, measured or not yet [F87]', async () => {
    const { publish, measure } = await openMetered(12_000);
    expect(await publish('publisher', 3_300)).toEqual([202, undefined]);
    expect(await publish('publisher-elsewhere', 1)).toEqual([429, 'one publisher']);
    await measure();
    expect(await publish('publisher-elsewhere', 1)).toEqual([429, 'one publisher']);
    expect(await publish('rival', 1)).toEqual([202, undefined]);
  });

  test('counts what was published since the last measurement, and only until that is measured [F58]', async () => {
    const { publish, measure } = await openMetered(40_000);
    const fill = async (as: string) => {
      for (let count = 0; ; count++) {
        const [status, whose] = await publish(as, 1);
        if (status === 429) return { count, whose };
      }
    };
    const counts: number[] = [];
    for (; counts.at(-1) !== 0; await measure()) counts.push((await fill('publisher')).count);
    expect(counts[0]).toBeGreaterThan(10);
    expect(counts[1]).toBeLessThan(counts[0] ?? 0);
    expect(await fill('rival')).toMatchObject({ whose: 'one publisher' });
  });

  test.each([
    ['tiny', 500, {}],
    ['small', 500, { text: random(200) }],
    ['large', 25, { text: random(20_000) }],
    ['larger than a page', 50, { text: random(5_000) }],
    ['half a page large', 100, { text: random(1_800) }],
    ['compressible', 25, { text: 'x'.repeat(20_000) }],
  ])(
    'counts what %s events take on the disk, with their rows and indexes [F58]',
    async (_, count, data) => {
      const database = await (await createStore()).open();
      await migrate(database, productMigrations);
      const size = async () => {
        const row = await database.first<{ bytes: number }>(
          database.engine === 'sqlite'
            ? sql`SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size`
            : sql`SELECT CAST(pg_total_relation_size('events_published') AS BIGINT) AS bytes`,
        );
        return row?.bytes ?? 0;
      };
      const before = await size();
      for (let from = 0; from < 20; from++) {
        const events = Array.from({ length: count }, () => ({
          ...newEvent,
          id: randomUUID(),
          data,
        }));
        await database.transaction((tx) => insertEvents(tx, events, 1_700_000_000_000));
      }
      const taken = (await size()) - before;
      const counted = await measureVolume(database, 0, 1_000_000);
      const ratio = taken / (counted.get(newEvent.publishedBy.principal) ?? 0);
      expect(ratio).toBeGreaterThan(0.8);
      expect(ratio).toBeLessThan(1.2);
    },
  );

  test.each([
    ['before', 100],
    ['after', 0],
  ])('counts the deliveries of an event that are queued %s the answer [N5]', async (_, atOnce) => {
    const { publish, measure, forgetAll, database, events } = await openMetered(8_000, atOnce);
    await create(events, { notificationEndpoint: { eventStream: {} } });
    expect(await publish('publisher', 1)).toEqual([202, undefined]);
    await measure();
    expect(await publish('publisher', 1)).toEqual([202, undefined]);
    await database.run(sql`UPDATE events_delivery_counts SET deliveries = 20`);
    await measure();
    expect(await publish('publisher', 1)).toEqual([429, 'one publisher']);
    await forgetAll();
    expect(await publish('publisher', 1)).toEqual([202, undefined]);
    expect(await database.all(sql`SELECT deliveries FROM events_delivery_counts`)).toEqual([]);
  });

  test.each([
    ['before', 100, [503, 503, 503, 202]],
    ['after', 0, [202, 202, 202, 202]],
  ])('counts no delivery whose commit failed, %s the answer [N5]', async (_, atOnce, statuses) => {
    const failures = { left: 3 };
    const { publish, measure, database, events } = await openMetered(1_000_000, atOnce, (inner) =>
      failToQueue(inner, failures),
    );
    await create(events, { notificationEndpoint: { eventStream: {} } });
    for (const status of statuses)
      expect(await publish('publisher', 1)).toEqual([status, undefined]);
    // Each look of the worker that queues after the answer may fail as well.
    for (let looks = 0; looks < 4; looks++) await measure();
    expect(failures.left).toBe(0);
    const [queued] = await database.all(sql`SELECT COUNT(*) AS deliveries FROM events_deliveries`);
    expect(await database.all(sql`SELECT deliveries FROM events_delivery_counts`)).toEqual([
      queued,
    ]);
  });

  test('counts replayed events against their subscriber [N5]', async () => {
    const { publish, measure, database, events } = await openMetered(4_000);
    const { name } = await create(events, { notificationEndpoint: { eventStream: {} } });
    await publish('publisher', 1);
    const replay = async () => {
      // As if a reader had taken all events.
      await database.run(sql`UPDATE events_lanes SET cursor = last_number`);
      return events.call('POST', `/v1/${name}:replay`, { body: {} });
    };
    for (let count = 0; count < 9; count++) expect((await replay()).body).toEqual({ replayed: 1 });
    await measure();
    const refused = await replay();
    expect(refused.status).toBe(429);
    expect(refused.body.error.details[0].reason).toBe('EVENT_STORAGE_FULL');
  });

  test('is a limited number of publications per publisher that wait to be queued [N5]', async () => {
    const { publish, measure, database } = await openMetered(1_000_000);
    expect(await publish('publisher', 1)).toEqual([202, undefined]);
    await database.run(sql`
      WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000)
      INSERT INTO events_fan_outs (publisher, events, through_lane)
      SELECT publisher, '[]', 0 FROM counted JOIN events_published ON position > 0`);
    await measure();
    expect(await publish('publisher', 1)).toEqual([429, undefined]);
    expect(await publish('rival', 1)).toEqual([202, undefined]);
    await database.run(sql`DELETE FROM events_fan_outs`);
    await measure();
    expect(await publish('publisher', 1)).toEqual([202, undefined]);
  });

  test.each([
    ['paths', Array.from({ length: 101 }, (_, n) => `a${n}`).join()],
    ['characters', `a,${'b'.repeat(4_095)}`],
  ])('is a field mask of a limited number of %s [N5]', async (_, fieldMask) => {
    const events = await openTestEvents(await (await createStore()).open());
    const ask = (mask: string) => {
      const payloadOptions = { includeResource: true, fieldMask: mask };
      return events.call('POST', '/v1/subscriptions', {
        body: newSubscriptionBody({ payloadOptions }),
      });
    };
    const refused = await ask(fieldMask);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('at most 100 of them, in 4096 characters');
    const shorter = await ask(fieldMask.slice(0, fieldMask.lastIndexOf(',')));
    expect(shorter.body.error?.message ?? '').not.toContain('at most');
  });

  test('is a limited number of readers of a stream and of a feed, even if they read nothing [N5]', async () => {
    const events = await openTestEvents(await (await createStore()).open());
    const notificationEndpoint = { eventStream: {} };
    const { name } = await create(events, { notificationEndpoint });
    const open = async (path: string) => {
      const headers = { authorization: 'Bearer alice' };
      return events.edge.request(path, { headers });
    };
    for (const path of [`/v1/${name}:listen`, '/v1/monitor/feed']) {
      const readers: Response[] = [];
      for (let count = 0; count < 20; count++) readers.push(await open(path));
      expect(readers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect((await open(path)).status).toBe(429);
      for (const { body } of readers) await body?.cancel();
      const later = await open(path);
      expect(later.status).toBe(200);
      await later.body?.cancel();
    }
  });

  test('is a limited number of subscriptions, per principal and in total [N5]', async () => {
    const events = await openTestEvents(await (await createStore()).open());
    const { database, clock } = events;
    const roomOf = createRequireRoom({ database, clock, mostOfPrincipal: 2, mostOfAll: 3 });
    const targetResource = '//drive.googleapis.com/files/f9';
    const requireRoom = (principal: string) =>
      roomOf({ principal, userId: principal.split(' for ')[1], targetResource, options: {} });
    const target = (name: string) => ({ targetResource: `//drive.googleapis.com/files/${name}` });
    const gone = await create(events, target('f0'));
    await events.call('DELETE', `/v1/${gone.name}`);
    await create(events, target('f1'));
    await requireRoom('app for alice');
    await create(events, target('f2'));
    await expect(requireRoom('app for alice')).rejects.toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
    });
    await requireRoom('app for bob');
    await create(events, target('f1'), { as: 'bob' });
    clock.advance(60_000);
    await expect(requireRoom('app for bob')).rejects.toThrow(/all together/);
  });

  test('counts the subscriptions of a person through whatever client, and those of a client for itself apart [F87]', async () => {
    const events = await openTestEvents(await (await createStore()).open());
    const { database, clock } = events;
    const requireRoom = createRequireRoom({ database, clock, mostOfPrincipal: 1 });
    const wanted = { targetResource: '//drive.googleapis.com/files/f9', options: {} };
    await create(events, { targetResource: '//drive.googleapis.com/files/f1' });
    await expect(
      requireRoom({ ...wanted, principal: 'other for alice', userId: 'alice' }),
    ).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' });
    await requireRoom({ ...wanted, principal: 'app', userId: undefined });
  });

  test('is a limited number of pair subscriptions per principal, since each costs a search in every block [N5]', async () => {
    const events = await openTestEvents(await (await createStore()).open());
    const { value: most } = eventsLimits.pairsOfPrincipal;
    // The rate of writes is bounded too.
    const subscribe = async (n: number) => {
      if (n % 50 === 0) events.clock.advance(60_000);
      return events.call('POST', '/v1/subscriptions', { as: 'trader', body: newPair(n) });
    };
    const first = await subscribe(0);
    for (let n = 1; n < most; n++) expect((await subscribe(n)).status).toBe(200);
    const refused = await subscribe(most);
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { status: 'RESOURCE_EXHAUSTED', message: expect.stringContaining('100') } },
    });
    const body = { ...newPair(0), targetResource: '//swap/chains/1' };
    const rpcs = { ...body, eventTypes: ['tradewind.swap.rpcs.v1.refreshed'] };
    const other = await events.call('POST', '/v1/subscriptions', { as: 'trader', body: rpcs });
    expect(other.status).toBe(200);
    await events.call('DELETE', `/v1/${first.body.response.name}`, { as: 'trader' });
    expect((await subscribe(most)).status).toBe(200);
  });

  test('is a limited number of pairs per chain, each with its options, over all watchers [N5]', async () => {
    const events = await openTestEvents(await (await createStore()).open());
    const { database, clock } = events;
    const roomOf = createRequireRoom({ database, clock, mostPairsOfChain: 2 });
    const swapOptions = { thresholdBps: 100, intervalSeconds: 0 };
    const requireRoom = (n: number, more: { amount?: string; chain?: number } = {}) => {
      const { amount, chain } = more;
      const options = { swapOptions: { ...(amount ? { amount } : {}), ...swapOptions } };
      const { targetResource } = newPair(n, chain);
      return roomOf({
        ...{ principal: 'app for somebody', userId: 'somebody' },
        ...{ targetResource, options },
      });
    };
    await create(events, newPair(0), { as: 'trader' });
    await requireRoom(2);
    await create(events, newPair(1), { as: 'trader' });
    clock.advance(60_000);
    await expect(requireRoom(2)).rejects.toThrow(
      'The limit of 2 subscriptions to different pairs of chain 1 for all together is reached',
    );
    await expect(requireRoom(1, { amount: '5' })).rejects.toThrow(/all together/);
    await requireRoom(1);
    await requireRoom(2, { chain: 10 });
  });

  test('is asked for before a subscription is made [N5]', async () => {
    const events = await openTestEvents(await (await createStore()).open());
    const { database } = events;
    await create(events);
    await database.run(sql`
      WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 9999)
      INSERT INTO events_subscriptions (id, uid, principal, client_id, user_id, target_resource, event_types,
        notification_endpoint, state, created_at, updated_at, expires_at, revision)
      SELECT 'filled' || n, 'filled' || n, 'app for alice', 'app', 'alice', '//filled/' || n, '[]',
        '{}', 'ACTIVE', 0, 0, 0, 1 FROM counted`);
    const body = newSubscriptionBody({ targetResource: '//drive.googleapis.com/files/f2' });
    const refused = await events.call('POST', '/v1/subscriptions', { body });
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { status: 'RESOURCE_EXHAUSTED' } },
    });
    expect(refused.headers.get('retry-after')).toBe('60');
    const other = await events.call('POST', '/v1/subscriptions', { as: 'bob', body });
    expect(other.status).toBe(200);
  });

  test('is a limited number of events for a failing endpoint, which is suspended beyond [N5]', async () => {
    const database = await (await createStore()).open();
    const delivery = await openTestDelivery(database);
    const failing = await startWebhookReceiver(() => ({ status: 500 }));
    const subscribe = async () => {
      const webhook = { kind: 'webhook', uri: failing.url, contentMode: 'BINARY' } as const;
      return (await delivery.subscribe({ notificationEndpoint: webhook })).subscription;
    };
    const [long, short] = [await subscribe(), await subscribe()];
    await database.run(sql`
      UPDATE events_lanes SET last_number = 1000000 WHERE subscription_id = ${long.id}`);
    for (const { targetResource } of [long, short]) {
      await delivery.publisher.publish([shopOrder(targetResource, targetResource)]);
    }
    const suspended: unknown[] = [];
    const suspend = async (...given: unknown[]) => void suspended.push(given);
    delivery.createWorkers({ suspend }).map(startWorker);
    await failing.got(2);
    await eventually(() => expect(suspended).toEqual([[long.id, 'ENDPOINT_RESOURCE_EXHAUSTED']]));
  });
});

/** A valid body for a subscription to a pair of its own. */
function newPair(n: number, chain = 1) {
  const tokenIn = `0x${String(n).padStart(40, 'a')}`;
  const targetResource = `//swap/chains/${chain}/pairs/${tokenIn}-0x${'2'.repeat(40)}`;
  const eventTypes = ['tradewind.swap.price.v1.moved'];
  return { targetResource, eventTypes, notificationEndpoint: { eventStream: {} } };
}

/** A database that fails to commit what queues deliveries, some times. */
function failToQueue(database: Database, failures: { left: number }): Database {
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(async (tx) => {
        let isQueueing = false;
        const run: Transaction['run'] = (statement) => {
          isQueueing ||= statement.strings[0]?.includes('INSERT INTO events_deliveries') ?? false;
          return tx.run(statement);
        };
        const result = await work({ ...tx, run });
        if (!isQueueing || failures.left === 0) return result;
        failures.left -= 1;
        throw new DatabaseError('UNAVAILABLE', 'The disk is full.');
      }, options),
  };
}
