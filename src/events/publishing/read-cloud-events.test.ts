import { CloudEvent, HTTP } from 'cloudevents';
import { expect, test } from 'vitest';
import type { NewEvent } from '../model/event.ts';
import type { EventsError } from '../model/events-error.ts';
import { checkPublishedTypes, readCloudEvents } from './read-cloud-events.ts';

const event = {
  specversion: '1.0',
  id: 'e1',
  source: '//shop',
  type: 'shop.order.v1.created',
  subject: '//shop/orders/1',
  time: '2026-01-01T00:00:00Z',
  datacontenttype: 'application/json',
  data: { order: { name: 'orders/1' } },
};
const expected = {
  id: 'e1',
  source: '//shop',
  type: 'shop.order.v1.created',
  subject: '//shop/orders/1',
  occurredAt: Date.UTC(2026, 0, 1),
  data: { order: { name: 'orders/1' } },
};
const inTurn = async <T>(step: () => T) => step();
const read = (contentType: string, body: unknown, headers = {}) =>
  readCloudEvents({
    headers: new Headers({ 'content-type': contentType, ...headers }),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    now: 7,
    inTurn,
  });
const structured = (changes: object) =>
  read('application/cloudevents+json', { ...event, ...changes });
const violationsOf = async (ask: () => Promise<unknown>) => {
  try {
    await ask();
  } catch (error) {
    return (error as EventsError).fieldViolations.map(({ field }) => field);
  }
  return [];
};

test('an event is taken as plain JSON too, as generated clients send it [E14.2]', async () => {
  expect(await read('application/json', event)).toEqual([expected]);
});

test('reads what the cloudevents library writes in binary and structured mode [E14.2]', async () => {
  for (const write of [HTTP.binary, HTTP.structured]) {
    const { headers, body } = write(new CloudEvent({ ...event, subject: '//shop/orders/1' }));
    const given = new Headers(headers as Record<string, string>);
    const request = { headers: given, body: String(body), now: 0, inTurn };
    expect(await readCloudEvents(request)).toEqual([expected]);
  }
});

test('reads a batch in order [E14.2]', async () => {
  const batch = [event, { ...event, id: 'e2' }];
  const events = await read('application/cloudevents-batch+json; charset=utf-8', batch);
  expect(events.map(({ id }) => id)).toEqual(['e1', 'e2']);
});

test('an event without a time gets the current one', async () => {
  expect(await structured({ time: undefined })).toMatchObject([{ occurredAt: 7 }]);
});

test('names every bad field of every bad event by its index [E14.5]', async () => {
  const batch = [event, { ...event, id: '', data: [] }, { ...event, specversion: '0.3' }];
  expect(await violationsOf(() => read('application/cloudevents-batch+json', batch))).toEqual([
    'events[1].id',
    'events[1].data',
    'events[2].specversion',
  ]);
});

test.each([
  ['subject', { subject: 'orders/1' }],
  ['subject', { subject: undefined }],
  ['time', { time: 'yesterday' }],
  ['datacontenttype', { datacontenttype: 'text/xml' }],
  ['data', { data: undefined }],
  ['type', { type: 7 }],
  ['source', { source: 'x'.repeat(1_025) }],
])('refuses a bad %s', async (field, changes) => {
  expect(await violationsOf(() => structured(changes))).toEqual([field]);
});

test('refuses an event above 256 KiB [E6.16]', async () => {
  const data = (size: number) => ({ data: { order: { note: 'x'.repeat(size) } } });
  expect(await structured(data(250_000))).toHaveLength(1);
  expect(await violationsOf(() => structured(data(256 * 1024)))).toEqual(['data']);
});

test('refuses a body that is not an event', async () => {
  expect(await violationsOf(() => read('text/plain', event))).toEqual(['ce-specversion']);
  expect(await violationsOf(() => read('application/cloudevents+json', '{'))).toEqual(['body']);
  expect(await violationsOf(() => read('application/cloudevents+json', '[]'))).toEqual(['body']);
  expect(await violationsOf(() => read('application/cloudevents-batch+json', '[]'))).toEqual([
    'body',
  ]);
});

test.each(['a\nb', 'a\0b', 'a\tb', '\ud800'])(
  'refuses the id %j, which is not a string [E14.5]',
  async (id) => {
    expect(await violationsOf(() => structured({ id }))).toEqual(['id']);
  },
);

test('names fifty bad fields and reads no further, however many there are [N1]', async () => {
  let turns = 0;
  const counting = async <T>(step: () => T) => {
    turns += 1;
    return step();
  };
  const request = {
    headers: new Headers({ 'content-type': 'application/cloudevents-batch+json' }),
    body: JSON.stringify(Array(10_000).fill({})),
    now: 0,
    inTurn: counting,
  };
  const named = await violationsOf(() => readCloudEvents(request));
  expect(named).toHaveLength(50);
  expect(turns).toBeLessThan(20);
});

test('refuses more than 10,000 events in a request before it reads them all [N5]', async () => {
  const batch = Array(10_001).fill(event);
  const refused = read('application/cloudevents-batch+json', batch);
  await expect(refused).rejects.toThrow(/more than 10000 events: publish them in several requests/);
});

const catalogue = {
  applicationOf: async (type: string) =>
    type.startsWith('shop.')
      ? {
          name: 'shop',
          targets: [{ pattern: '//shop/{thing}', eventTypes: ['shop.thing.v1.created'] }],
          scopes: [],
          batchTypes: { 'shop.thing.v1.created': 'shop.thing.v1.batchCreated' },
          resourceData: 'always' as const,
          identities: {},
          isBuiltIn: false,
        }
      : undefined,
};
const check = (...types: string[]) =>
  checkPublishedTypes(
    types.map((type) => ({ type }) as NewEvent), // nothing else is looked at
    catalogue,
  );

test('takes types of the catalogue, batch types too [G7]', async () => {
  await expect(check('shop.thing.v1.created')).resolves.toBeUndefined();
  await expect(check('shop.thing.v1.batchCreated')).resolves.toBeUndefined();
});

test.each([
  ['a type that no application has', 'other.thing.v1.created'],
  ['what this server alone publishes', 'tradewind.swap.price.v1.moved'],
  ['a batch type of a type that has none', 'shop.thing.v1.batchUpdated'],
])('refuses %s, by its index [E14.5]', async (_, type) => {
  await expect(check('shop.thing.v1.created', type)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    fieldViolations: [{ field: 'events[1].type' }],
  });
});
