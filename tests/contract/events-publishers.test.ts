import { describe, expect, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import {
  createTestSubscription as create,
  fileCreated,
  openTestEvents,
} from '../support/open-test-events.ts';
import { queuedEvents } from '../support/queued-events.ts';
import { migratedEngines } from '../support/test-engines.ts';

const target = '//drive.googleapis.com/files/f1';

describe.each(migratedEngines)('publishers on $engine', ({ createStore }) => {
  const open = async (options: Parameters<typeof openTestEvents>[1] = {}) => {
    const events = await openTestEvents(await (await createStore()).open(), options);
    const publish = async (as: string, event: object = {}) => {
      const whole = {
        specversion: '1.0',
        id: 'e1',
        source: '//test',
        type: fileCreated,
        subject: target,
        data: { file: { name: 'files/f1', by: as } },
        ...event,
      };
      const headers = { 'Content-Type': 'application/cloudevents+json' };
      const body = JSON.stringify(whole);
      return events.call('POST', '/v1/events', { as, headers, body });
    };
    /** The publishers of the events that a subscription gets. */
    const publishersSeenBy = async ({ name }: { name: string }) => {
      const id = name.slice('subscriptions/'.length);
      return (await queuedEvents(events.database, id)).map(({ data }) => data.file.by);
    };
    return { ...events, publish, publishersSeenBy };
  };

  test('have a name space each, so that none hides the event of another [F6]', async () => {
    const events = await open();
    const subscription = await create(events);
    for (const as of ['rival', 'publisher', 'publisher-elsewhere', 'operator']) {
      const { status, body } = await events.publish(as);
      expect([status, body]).toEqual([202, { accepted: 1, duplicates: 0 }]);
      expect((await events.publish(as)).body).toEqual({ accepted: 0, duplicates: 1 });
    }
    const seen = await events.publishersSeenBy(subscription);
    expect(seen).toEqual(['rival', 'publisher', 'publisher-elsewhere', 'operator']);
  });

  test('need a scope of the application, as those who subscribe do [F7, N4]', async () => {
    const events = await open();
    const { call, publish } = events;
    const type = 'vault.door.v1.opened';
    const targets = [{ pattern: '//vault/doors/{door}', eventTypes: [type] }];
    const vault = { name: 'vault', targets, scopes: ['admin'] };
    await call('POST', '/v1/applications', { as: 'operator', body: vault });
    const forged = { type, subject: '//vault/doors/1', data: { door: { name: 'doors/1' } } };
    const { status, body } = await publish('publisher', forged);
    expect([status, body.error.details[0].reason]).toEqual([
      403,
      'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    ]);
    expect((await publish('operator', forged)).status).toBe(202);
    const ownTypes = [
      'tradewind.swap.rpcs.v1.refreshed',
      'tradewind.authorization.grant.v1.created',
    ];
    for (const ownType of ownTypes) {
      expect((await publish('operator', { type: ownType })).status).toBe(400);
    }
  });

  test('are visible to all who hold the scopes, by default [F7]', async () => {
    const events = await open();
    const subscription = await create(events, { targetResource: '//drive.googleapis.com/files/-' });
    await events.publish('publisher');
    await events.publish('rival');
    expect(await events.publishersSeenBy(subscription)).toEqual(['publisher', 'rival']);
  });

  test('are visible only to their own account and to admins with the visibility own [F7]', async () => {
    const events = await open({ settings: { eventVisibility: 'own' } });
    const everything = { targetResource: '//drive.googleapis.com/files/-' };
    const [exact, wildcard, elsewhere, foreign, all] = [
      await create(events, {}, { as: 'publisher' }),
      await create(events, everything, { as: 'publisher' }),
      await create(events, everything, { as: 'publisher-elsewhere' }),
      await create(events, everything, { as: 'alice' }),
      await create(events, everything, { as: 'operator' }),
    ];
    for (const as of ['publisher', 'rival', 'operator']) await events.publish(as);
    expect(await events.publishersSeenBy(exact)).toEqual(['publisher']);
    expect(await events.publishersSeenBy(wildcard)).toEqual(['publisher']);
    expect(await events.publishersSeenBy(elsewhere)).toEqual(['publisher']);
    expect(await events.publishersSeenBy(foreign)).toEqual([]);
    expect(await events.publishersSeenBy(all)).toEqual(['publisher', 'rival', 'operator']);
  });

  test('publish so many bytes a minute and no more, each account for itself whatever its clients [F8, F87, N4]', async () => {
    const database = await (await createStore()).open();
    const settings = { publishQuota: 10_000 };
    const [first, second] = [
      await openTestEvents(database, { settings }),
      await openTestEvents(database, { settings }),
    ];
    const publish = ({ call }: typeof first, as: string, bytes: number) => {
      const data = { file: { name: 'x'.repeat(bytes) } };
      const event = { specversion: '1.0', id: `${bytes}`, source: '//s', type: fileCreated };
      const headers = { 'Content-Type': 'application/cloudevents+json' };
      const body = JSON.stringify({ ...event, subject: target, data });
      return call('POST', '/v1/events', { as, headers, body });
    };
    expect((await publish(first, 'publisher', 4_500)).status).toBe(202);
    expect((await publish(second, 'publisher', 3_500)).status).toBe(202);
    const refused = await publish(first, 'publisher', 4_000);
    expect([refused.status, refused.body.error.status]).toEqual([429, 'RESOURCE_EXHAUSTED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await publish(first, 'publisher', 20_000)).status).toBe(429);
    expect((await publish(first, 'publisher-elsewhere', 4_000)).status).toBe(429);
    const stored = await database.all(sql`SELECT id FROM events_published ORDER BY id`);
    expect(stored).toEqual([{ id: '3500' }, { id: '4500' }]);
    expect((await publish(first, 'rival', 4_000)).status).toBe(202);
    first.clock.advance(60_000);
    expect((await publish(first, 'publisher', 4_000)).status).toBe(202);
  });

  test('of a watched folder are seen only with folders.read or by an admin [F11]', async () => {
    const folders = new Map([['reports', '/nowhere']]);
    const { call } = await open({ settings: { folders } });
    const body = {
      targetResource: '//folder/reports',
      eventTypes: ['tradewind.folder.file.v1.created'],
      notificationEndpoint: { eventStream: {} },
    };
    const ask = async (as: string) =>
      (await call('POST', '/v1/subscriptions', { as, body })).status;
    expect(await ask('alice')).toBe(403);
    expect(await ask('robot')).toBe(403);
    expect(await ask('archivist')).toBe(200);
    expect(await ask('operator')).toBe(200);
  });
});
