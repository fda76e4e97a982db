import { describe, expect, onTestFinished, test } from 'vitest';
import { eventsLimits } from '../../src/events/limits.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { countQueries } from '../support/count-queries.ts';
import { eventually } from '../support/eventually.ts';
import {
  createTestSubscription as create,
  fileCreated,
  openTestEvents,
  type TestEvents,
} from '../support/open-test-events.ts';
import { readFeed } from '../support/read-feed.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const crm = {
  name: 'crm',
  targets: [{ pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won'] }],
};

async function open(database: Database, options: Parameters<typeof openTestEvents>[1] = {}) {
  const events = await openTestEvents(database, { clock: systemClock, ...options });
  await events.call('POST', '/v1/applications', { as: 'operator', body: crm });
  return events;
}

/** Starts the delivery workers, as a process does. */
function deliver({ events }: TestEvents) {
  for (const worker of events.workers.filter(({ name }) => /delivery|streams/.test(name))) {
    const { stop } = startWorker(worker);
    onTestFinished(() => void stop());
  }
}

const publish = (
  { call }: TestEvents,
  {
    id = String(crypto.randomUUID()),
    subject = '//crm/deals/17',
    as = 'publisher',
    more = {},
  } = {},
) => {
  const type = 'crm.deal.v1.won';
  const data = { deal: { name: 'deals/17', ...more } };
  const body = { specversion: '1.0', id, source: '//test', type, subject, data };
  const headers = { 'Content-Type': 'application/cloudevents+json' };
  return call('POST', '/v1/events', { as, body: JSON.stringify(body), headers });
};

const toWebhook = (uri: string, more: object = {}) => ({
  targetResource: '//crm/deals/17',
  eventTypes: ['crm.deal.v1.won'],
  notificationEndpoint: { webhook: { uri } },
  payloadOptions: { includeResource: true },
  ...more,
});

describe.each(migratedEngines)('on $engine,', ({ createStore }) => {
  const openStore = async () => (await createStore()).open();

  test('an admin sees all subscriptions, a person in the console all of their own, and a client those made through it [K12]', async () => {
    const events = await open(await openStore());
    const names = {
      alice: (await create(events)).name,
      elsewhere: (await create(events, {}, { as: 'alice-elsewhere' })).name,
      bob: (await create(events, {}, { as: 'bob' })).name,
    };
    const seenBy = async (as: string) => {
      const { body } = await events.call('GET', '/v1/monitor/subscriptions', { as });
      return body.subscriptions
        .map((one: { subscription: { name: string } }) => one.subscription.name)
        .sort();
    };
    expect(await seenBy('operator')).toEqual(Object.values(names).sort());
    expect(await seenBy('alice-in-console')).toEqual([names.alice, names.elsewhere].sort());
    expect(await seenBy('alice')).toEqual([names.alice]);
    expect(await seenBy('robot')).toEqual([]);
    for (const as of ['alice', 'alice-elsewhere']) {
      const { status } = await events.call('GET', `/v1/monitor/${names.bob}`, { as });
      expect(status).toBe(404);
    }
    const { body: pageOne } = await events.call('GET', '/v1/monitor/subscriptions?pageSize=2', {
      as: 'operator',
    });
    const { body: pageTwo } = await events.call(
      'GET',
      `/v1/monitor/subscriptions?pageSize=2&pageToken=${pageOne.nextPageToken}`,
      { as: 'operator' },
    );
    expect([pageOne.subscriptions.length, pageTwo.subscriptions.length]).toEqual([2, 1]);
    expect(pageTwo.nextPageToken).toBeUndefined();
  });

  test('an admin, or the owner in the console, renews, reactivates and deletes a subscription [K12]', async () => {
    const events = await open(await openStore());
    const { name } = await create(events, { ttl: '3600s' });
    const renewed = await events.call('POST', `/v1/monitor/${name}:renew`, { as: 'operator' });
    const { createTime, expireTime } = renewed.body.subscription;
    expect(Date.parse(expireTime) - Date.parse(createTime)).toBeGreaterThan(6 * 86_400_000);
    await events.suspend(name);
    const suspended = await events.call('GET', '/v1/monitor/subscriptions?state=SUSPENDED', {
      as: 'alice-in-console',
    });
    expect(suspended.body.subscriptions).toHaveLength(1);
    const active = await events.call('POST', `/v1/monitor/${name}:reactivate`, {
      as: 'alice-in-console',
    });
    expect(active.body.subscription.state).toBe('ACTIVE');
    const foreign = await events.call('DELETE', `/v1/monitor/${name}`, { as: 'bob' });
    expect(foreign.status).toBe(404);
    expect((await events.call('DELETE', `/v1/monitor/${name}`, { as: 'operator' })).body).toEqual(
      {},
    );
    expect((await events.call('GET', `/v1/monitor/${name}`)).status).toBe(404);
  });

  test('an attempt is shown with its status, duration, request and the first 4 KB of the response [K12]', async () => {
    const events = await open(await openStore(), { settings: { retryFirst: 1 } });
    const receiver = await startWebhookReceiver((_, index) =>
      index === 0
        ? { status: 500, body: 'out of order' }
        : { status: 200, body: `${'thanks '.repeat(600)}` },
    );
    const { name } = await create(events, toWebhook(receiver.url), { as: 'alice' });
    deliver(events);
    await publish(events, { id: 'first' });
    await receiver.got(2);
    await eventually(async () => {
      const { body } = await events.call('GET', `/v1/monitor/${name}/attempts`);
      expect(body.attempts).toHaveLength(2);
    });
    const { body } = await events.call('GET', `/v1/monitor/${name}/attempts`);
    const [second, first] = body.attempts;
    expect(first).toMatchObject({
      outcome: 'FAILED',
      status: 500,
      eventCount: 1,
      events: [{ id: 'first', type: 'crm.deal.v1.won', subject: '//crm/deals/17' }],
      response: { body: 'out of order', truncated: false },
    });
    expect(second).toMatchObject({ outcome: 'ACCEPTED', status: 200 });
    expect(second.response).toEqual({
      body: 'thanks '.repeat(600).slice(0, 4_096),
      truncated: true,
    });
    expect(second.durationMs).toBeGreaterThanOrEqual(0);
    for (const [n, attempt] of [first, second].entries()) {
      const sent = receiver.received[n]!;
      expect(attempt.request).toMatchObject({ method: 'POST', url: receiver.url, body: sent.body });
      const told = Object.entries(attempt.request.headers);
      expect(told.filter(([header, value]) => sent.headers[header] !== value)).toEqual([]);
      expect(attempt.request.headers['webhook-id']).toBe('first');
      expect(attempt.request.headers).not.toHaveProperty('webhook-signature');
    }
    const firstPage = await events.call('GET', `/v1/monitor/${name}/attempts?pageSize=1`);
    const token = firstPage.body.nextPageToken;
    const rest = await events.call(
      'GET',
      `/v1/monitor/${name}/attempts?pageSize=1&pageToken=${token}`,
    );
    expect([firstPage.body.attempts[0].name, rest.body.attempts[0].name]).toEqual([
      second.name,
      first.name,
    ]);
    expect(rest.body.nextPageToken).toBeUndefined();
    expect((await events.call('GET', `/v1/monitor/${name}/attempts`, { as: 'bob' })).status).toBe(
      404,
    );
  });

  test('one, some or all undelivered events are sent again, and delivered ones only by name [K12]', async () => {
    const events = await open(await openStore());
    const received: string[] = [];
    const receiver = await startWebhookReceiver(({ headers }) => {
      received.push(String(headers['webhook-id']));
      return { status: 204 };
    });
    const { name } = await create(events, toWebhook(receiver.url));
    deliver(events);
    await publish(events, { id: 'delivered' });
    await receiver.got(1);
    await events.call('GET', `/v1/monitor/${name}/attempts`);
    await events.suspend(name);
    for (const id of ['held-1', 'held-2', 'held-3']) await publish(events, { id });
    await receiver.got(2);
    const undelivered = async () =>
      (await events.call('GET', `/v1/monitor/${name}`)).body.undelivered;
    expect(await undelivered()).toBe(3);
    await events.call('POST', `/v1/monitor/${name}:reactivate`);
    const replay = async (body: object) =>
      (await events.call('POST', `/v1/monitor/${name}:replay`, { body })).body.replayed;
    expect(await replay({ eventIds: ['held-1'] })).toBe(1);
    expect(await undelivered()).toBe(2);
    expect(await replay({})).toBe(2);
    expect(await undelivered()).toBe(0);
    expect(await replay({})).toBe(0);
    expect(await replay({ eventIds: ['delivered'] })).toBe(1);
    await receiver.got(6);
    expect(received.filter((id) => !id.includes('-') || id.startsWith('held')).slice(-4)).toEqual([
      'held-1',
      'held-2',
      'held-3',
      'delivered',
    ]);
  });

  test('of large events a page of attempts shows the beginning, and reads a bounded part [N1, N5]', async () => {
    const { database, count } = countQueries(await openStore());
    const events = await open(database);
    const receiver = await startWebhookReceiver();
    const { name } = await create(events, toWebhook(receiver.url));
    deliver(events);
    const size = 200_000;
    const sent = 30;
    for (let n = 0; n < sent; n++) await publish(events, { more: { text: 'x'.repeat(size) } });
    await receiver.got(sent);
    const list = async () => {
      const before = count.characters;
      const { body } = await events.call('GET', `/v1/monitor/${name}/attempts?pageSize=100`);
      return { attempts: body.attempts, read: count.characters - before };
    };
    await eventually(async () => expect((await list()).attempts).toHaveLength(sent));
    const { attempts, read } = await list();
    expect(read).toBeLessThan(eventsLimits.attemptRequests.value + 2 * size);
    const bodies = attempts.map(
      ({ request }: { request: { body: string } }) => request.body.length,
    );
    expect([bodies[0], bodies.at(-1)]).toEqual([16_384, 0]);
    expect(attempts.at(-1).request.truncated).toBe(true);
  });

  test('an event that waits for a retry is attempted at once when it is replayed by name [K3, K12]', async () => {
    const hours = 3_600_000;
    const events = await open(await openStore(), {
      settings: { retryFirst: hours, retryMax: hours },
    });
    const receiver = await startWebhookReceiver((_, index) => ({
      status: index === 0 ? 503 : 204,
    }));
    const { name } = await create(events, toWebhook(receiver.url));
    deliver(events);
    await publish(events, { id: 'waits' });
    const attempts = async () =>
      (await events.call('GET', `/v1/monitor/${name}/attempts`)).body.attempts;
    await eventually(async () => expect(await attempts()).toHaveLength(1));
    const replay = async (body: object) =>
      (await events.call('POST', `/v1/monitor/${name}:replay`, { body })).body.replayed;
    expect(await replay({})).toBe(0);
    expect(await replay({ eventIds: ['another'] })).toBe(0);
    expect(await replay({ eventIds: ['waits'] })).toBe(1);
    await receiver.got(2);
    await eventually(async () => expect((await attempts())[0].outcome).toBe('ACCEPTED'));
  });

  test('a test event is a sample that goes to one subscription alone [K12]', async () => {
    const events = await open(await openStore());
    const receiver = await startWebhookReceiver();
    const other = await startWebhookReceiver();
    const { name } = await create(events, toWebhook(receiver.url));
    await create(events, toWebhook(other.url), { as: 'bob' });
    deliver(events);
    const { body } = await events.call('POST', `/v1/monitor/${name}:sendTestEvent`, { body: {} });
    expect(body).toEqual({
      eventId: expect.stringMatching(/^test-/),
      eventType: 'crm.deal.v1.won',
    });
    await receiver.got(1);
    const [sent] = receiver.received;
    expect(sent?.headers['ce-subject']).toBe('//crm/deals/17');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ deal: { name: 'deals/17' } });
    const wrong = await events.call('POST', `/v1/monitor/${name}:sendTestEvent`, {
      body: { eventType: fileCreated },
    });
    expect(wrong.status).toBe(400);
    await events.suspend(name);
    const late = await events.call('POST', `/v1/monitor/${name}:sendTestEvent`, { body: {} });
    expect(late.body.error.status).toBe('FAILED_PRECONDITION');
    expect(other.received).toEqual([]);
  });

  test('a rotated secret is shown to an admin and to the owner in the console, and to no other client [K12]', async () => {
    const events = await open(await openStore());
    const receiver = await startWebhookReceiver();
    const { name } = await create(events, toWebhook(receiver.url), { as: 'alice-elsewhere' });
    const rotate = (as: string) =>
      events.call('POST', `/v1/monitor/${name}:rotateSecret`, { as, body: {} });
    expect((await rotate('alice')).status).toBe(404);
    expect((await rotate('alice-in-console')).body.signingSecret).toMatch(/^whsec_/);
    expect((await rotate('operator')).body.signingSecret).toMatch(/^whsec_/);
  });

  test('what was published is listed, the newest first, by the beginnings of type and subject [K12]', async () => {
    const events = await open(await openStore());
    await publish(events, { id: 'a', subject: '//crm/deals/1' });
    await publish(events, { id: 'b', subject: '//crm/deals/2' });
    await publish(events, { id: 'c', subject: '//crm/deals/1' });
    const list = async (query: string) => {
      const { body } = await events.call('GET', `/v1/monitor/events?${query}`);
      return body.events.map(({ id }: { id: string }) => id);
    };
    expect(await list('')).toEqual(['c', 'b', 'a']);
    expect(await list('subject=//crm/deals/1')).toEqual(['c', 'a']);
    expect(await list('type=crm.deal')).toEqual(['c', 'b', 'a']);
    expect(await list('type=google')).toEqual([]);
    for (const query of ['events?type=%00', 'events?subject=%00', 'feed?subscription=%00']) {
      const { status } = await events.call('GET', `/v1/monitor/${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
    const { body: first } = await events.call('GET', '/v1/monitor/events?pageSize=2');
    expect(await list(`pageSize=2&pageToken=${first.nextPageToken}`)).toEqual(['a']);
    expect(first.events[0]).toMatchObject({
      type: 'crm.deal.v1.won',
      subject: '//crm/deals/1',
      data: { deal: { name: 'deals/17' } },
    });
    const one = await events.call('GET', `/v1/monitor/${first.events[0].name}`);
    expect(one.body.id).toBe('c');
  });

  test('a list of published events reads only the events that it shows, and only the data that it shows [N11]', async () => {
    const { database, count } = countQueries(await openStore());
    const events = await open(database);
    const large = { more: { notes: 'x'.repeat(eventsLimits.listedData.value) } };
    const list = async (pageSize: number, server = events) => {
      const before = { ...count };
      const { body } = await server.call('GET', `/v1/monitor/events?pageSize=${pageSize}`);
      return {
        shown: body.events.map((event: { id: string; data?: object }) => [event.id, !!event.data]),
        rows: count.rows - before.rows,
        characters: count.characters - before.characters,
      };
    };
    await publish(events, { id: 'first' });
    await list(1);
    const { rows, characters } = await list(1);
    for (let n = 0; n < 30; n++) await publish(events, { id: `large-${n}`, ...large });
    expect(await list(1)).toMatchObject({ shown: [['large-29', false]], rows });
    for (const id of ['a', 'b']) await publish(events, { id });
    await publish(events, { id: 'large', ...large });
    await publish(events, { id: 'c' });
    expect((await list(5)).shown).toEqual([
      ['c', true],
      ['large', false],
      ['b', true],
      ['a', true],
      ['large-29', false],
    ]);
    const whole = await list(100);
    expect(whole.shown).toHaveLength(35);
    expect(whole.characters).toBeLessThan(35 * characters);
    // This process shows a caller only its own events.
    const settings = { eventVisibility: 'own' } as const;
    const apart = await openTestEvents(database, { clock: systemClock, settings });
    const unseen = await list(100, apart);
    expect(unseen.shown).toEqual([]);
    expect(unseen.characters).toBeLessThan(35 * characters);
  });

  test('a caller sees the events of applications whose scopes it has, and with own visibility only its own events [K12]', async () => {
    const database = await openStore();
    const events = await open(database);
    await events.call('POST', '/v1/applications', {
      as: 'operator',
      body: {
        name: 'payroll',
        scopes: ['admin'],
        targets: [{ pattern: '//payroll/people/{person}', eventTypes: ['payroll.person.v1.paid'] }],
      },
    });
    await publish(events);
    const secret = {
      specversion: '1.0',
      id: 's',
      source: '//test',
      type: 'payroll.person.v1.paid',
      subject: '//payroll/people/1',
      data: { person: {} },
    };
    await events.call('POST', '/v1/events', {
      as: 'operator',
      body: secret,
      headers: { 'Content-Type': 'application/cloudevents+json' },
    });
    const typesSeen = async (server: TestEvents, as: string) => {
      const { body } = await server.call('GET', '/v1/monitor/events', { as });
      return body.events.map(({ type }: { type: string }) => type);
    };
    expect(await typesSeen(events, 'operator')).toEqual([
      'payroll.person.v1.paid',
      'crm.deal.v1.won',
    ]);
    expect(await typesSeen(events, 'alice')).toEqual(['crm.deal.v1.won']);
    const apart = await openTestEvents(database, {
      clock: systemClock,
      settings: { eventVisibility: 'own' },
    });
    expect(await typesSeen(apart, 'alice')).toEqual([]);
    expect(await typesSeen(apart, 'publisher')).toEqual(['crm.deal.v1.won']);
    expect(await typesSeen(apart, 'publisher-elsewhere')).toEqual(['crm.deal.v1.won']);
    expect(await typesSeen(apart, 'operator')).toHaveLength(2);
    const hidden = await events.call('GET', '/v1/monitor/events', { as: 'operator' });
    const { name } = hidden.body.events[0];
    expect((await events.call('GET', `/v1/monitor/${name}`)).status).toBe(404);
  });

  test('the feed tells of events, attempts and changes, goes on after a restart, and repeats nothing [K13]', async () => {
    const database = await openStore();
    const before = await open(database);
    deliver(before);
    const receiver = await startWebhookReceiver();
    const feed = await readFeed(before, { as: 'alice' });
    expect(await feed.next()).toMatchObject({ kind: 'ready' });
    const { name } = await create(before, toWebhook(receiver.url));
    expect(await feed.next()).toMatchObject({
      kind: 'subscription',
      subscription: { subscription: { name, state: 'ACTIVE' } },
    });
    await publish(before, { id: 'one' });
    expect(await feed.next()).toMatchObject({ kind: 'event', event: { id: 'one' } });
    expect(await feed.next()).toMatchObject({
      kind: 'attempt',
      subscription: name,
      attempt: { outcome: 'ACCEPTED', status: 204, events: [{ id: 'one' }] },
    });
    const { lastEventId } = feed;
    await feed.close();
    await publish(before, { id: 'two' });
    await receiver.got(2);
    await eventually(async () => {
      const { body } = await before.call('GET', `/v1/monitor/${name}/attempts`);
      expect(body.attempts).toHaveLength(2);
    });
    const after = await openTestEvents(database, { clock: systemClock });
    const resumed = await readFeed(after, { as: 'alice', lastEventId });
    expect(await resumed.next()).toMatchObject({ kind: 'ready' });
    expect(await resumed.next()).toMatchObject({ kind: 'event', event: { id: 'two' } });
    expect(await resumed.next()).toMatchObject({
      kind: 'attempt',
      attempt: { events: [{ id: 'two' }] },
    });
    await resumed.close();
  });

  test('the feed tells nobody of what is not theirs, and says so where too much was missed [K13]', async () => {
    const database = await openStore();
    const events = await open(database);
    deliver(events);
    const receiver = await startWebhookReceiver();
    const bobs = await readFeed(events, { as: 'bob', query: 'kinds=attempts,subscriptions' });
    const own = await readFeed(events, { as: 'alice', query: 'kinds=attempts,subscriptions' });
    await bobs.next();
    await own.next();
    await create(events, toWebhook(receiver.url));
    await publish(events);
    expect(await own.next()).toMatchObject({ kind: 'subscription' });
    expect(await own.next()).toMatchObject({ kind: 'attempt' });
    const { name } = await create(events, {}, { as: 'bob' });
    expect(await bobs.next()).toMatchObject({ subscription: { subscription: { name } } });
    await Promise.all([bobs.close(), own.close()]);
    const late = await readFeed(events, { as: 'alice', lastEventId: '1-0-0' });
    expect(await late.next()).toEqual({ kind: 'gap' });
    await late.close();
    for (const lastEventId of ['x', '1-2', '1-2-3-4']) {
      const headers = { 'last-event-id': lastEventId };
      const { status } = await events.call('GET', '/v1/monitor/feed', { headers });
      expect([lastEventId, status]).toEqual([lastEventId, 400]);
    }
    expect((await events.call('GET', '/v1/monitor/feed?kinds=all')).status).toBe(400);
  });
});

test('the catalogue has a sample of each type, and says how many subscriptions each application has [K12]', async () => {
  const [{ createStore }] = migratedEngines;
  const events = await open(await (await createStore()).open());
  await create(events, toWebhook('http://127.0.0.1:9'));
  const { body } = await events.call('GET', '/v1/monitor/applications', { as: 'operator' });
  const found = body.applications.find(({ name }: { name: string }) => name === 'crm');
  expect(found).toMatchObject({
    builtIn: false,
    subscriptions: 1,
    samples: [{ type: 'crm.deal.v1.won', subject: '//crm/deals/sample', publishable: true }],
  });
  const sample = '/v1/monitor/sample?type=crm.deal.v1.won&target=//crm/deals/9';
  expect((await events.call('GET', sample)).body.data).toEqual({ deal: { name: 'deals/9' } });
  expect((await events.call('GET', '/v1/monitor/sample?type=no.such.type')).status).toBe(404);
});

test('clients of the public interface see nothing of it in the discovery document [K12]', async () => {
  const [{ createStore }] = migratedEngines;
  const events = await open(await (await createStore()).open());
  const { body } = await events.call('GET', '/$discovery/rest', { as: null });
  expect(JSON.stringify(body)).not.toMatch(/monitor/i);
  expect(Object.keys(body.resources).sort()).toEqual([
    'applications',
    'events',
    'operations',
    'projects',
    'subscriptions',
  ]);
});

test('all feeds of a process share one poll, and nothing polls without a feed [K13]', async () => {
  const [{ createStore }] = migratedEngines;
  const { database, count } = countQueries(await (await createStore()).open());
  const events = await openTestEvents(database);
  const { clock } = events;
  const feeds = [];
  for (let n = 0; n < 20; n++) feeds.push(await readFeed(events, { as: 'alice' }));
  for (const feed of feeds) await feed.next();
  const waiting = feeds.map((feed) => feed.next());
  expect((await events.call('GET', '/v1/monitor/feed')).status).toBe(429);
  // The sleepers: the feeds, and the poll that they share.
  const asleep = feeds.length + 1;
  const look = async () => {
    await clock.whenAsleep(asleep);
    clock.advance(250);
    await clock.whenAsleep(asleep);
  };
  await look();
  const settled = count.queries;
  for (let n = 0; n < 8; n++) await look();
  expect(count.queries - settled).toBe(8);
  for (const feed of feeds) await feed.close();
  await Promise.all(waiting);
  clock.advance(250);
  await clock.whenAsleep(0);
  const left = count.queries;
  clock.advance(10_000);
  await clock.turn();
  expect(count.queries).toBe(left);
});
