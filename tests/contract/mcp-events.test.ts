import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { tokenOf } from '../support/context-endpoint.ts';
import { eventually } from '../support/eventually.ts';
import {
  eras,
  openMcpEvents,
  orderCreated,
  secret,
  startCallback,
  toOrder,
} from '../support/open-mcp-events.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { type Received, startWebhookReceiver } from '../support/webhook-receiver.ts';

const otherSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const headersOf = ({ headers }: Received) => headers as Record<string, string>;
const verify = (by: string, one: Received) => new Webhook(by).verify(one.body, headersOf(one));
const eventIdsOf = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body).eventId as string);
const hour = 3_600_000;

/** A clock that a test sets forward. */
function createMovedClock() {
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  return {
    clock,
    advance(milliseconds: number) {
      ahead += milliseconds;
    },
  };
}

describe.each(migratedEngines)('MCP events on $engine', ({ createStore }) => {
  const open = async (options: Parameters<typeof openMcpEvents>[1] = {}) =>
    openMcpEvents(await (await createStore()).open(), options);

  test.each(eras)('are listed and declared in %s [M1, M2, M3, M4, M6, M10, M13]', async (era) => {
    const { rpc, begin } = await open({ era });
    const { result, status } = await rpc('events/list');
    expect(status).toBe(200);
    expect(result.events.map(({ name }: { name: string }) => name)).toEqual([orderCreated]);
    expect('nextCursor' in result).toBe(false);
    expect(result.resultType).toBe(era === '2026-07-28' ? 'complete' : undefined);
    const trader = await rpc('events/list', {}, { token: tokenOf('tom', 'swap.read') });
    expect(trader.result.events.map(({ name }: { name: string }) => name)).toEqual([
      orderCreated,
      'tradewind.swap.price.v1.moved',
      'tradewind.swap.route.v1.changed',
      'tradewind.swap.rpcs.v1.refreshed',
    ]);
    const begun = era === '2026-07-28' ? await rpc('server/discover') : await begin(era);
    expect(begun.result).toMatchObject({
      capabilities: { events: {}, extensions: { 'io.modelcontextprotocol/events': {} } },
    });
    expect(JSON.stringify(begun.result ?? {})).not.toContain('eventsListChanged');
  });

  test('lists every type of an admin in pages that end, and the public families on request [M11, M12]', async () => {
    const { rpc } = await open({ settings: { mcpEvents: 'all' } });
    const token = tokenOf('ada', 'admin', 'swap.read');
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await rpc('events/list', cursor === undefined ? {} : { cursor }, {
        token,
      });
      expect(result.events.length).toBeLessThanOrEqual(50);
      names.push(...result.events.map(({ name }: { name: string }) => name));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('google.workspace.drive.file.v3.created');
    expect(names).toContain('tradewind.authorization.grant.v1.revoked');
    expect(names.some((name) => name.includes('batch') || name.includes('subscription.v1'))).toBe(
      false,
    );
    for (const bad of ['nonsense', 7]) {
      expect((await rpc('events/list', { cursor: bad }, { token })).error).toMatchObject({
        code: -32_602,
      });
    }
  });

  test.each(eras)(
    'a callback is challenged once, then gets each event once, signed, in %s [M14, M20, M21, M27, M28, M34, M35, M36, M37, M9]',
    async (era) => {
      const { rpc, publish, database } = await open({ era });
      const callback = await startCallback();
      const { result } = await rpc('events/subscribe', toOrder(callback.url));
      expect(result).toMatchObject({
        id: expect.stringMatching(/^sub_[0-9a-f]{32}$/),
        cursor: expect.any(String),
        truncated: false,
      });
      const lasts = Date.parse(result.refreshBefore) - Date.now();
      expect(lasts / hour / 24).toBeCloseTo(7, 1);
      const [challenge] = callback.challenged;
      expect(callback.challenged).toHaveLength(1);
      verify(secret, challenge!);
      const { type, challenge: text } = JSON.parse(challenge!.body);
      expect({ type, length: Buffer.from(text, 'base64url').length >= 24 }).toEqual({
        type: 'verification',
        length: true,
      });
      expect(challenge!.headers).toMatchObject({
        'content-type': 'application/json',
        'webhook-id': expect.stringMatching(/^msg_verification_/),
        'x-mcp-subscription-id': result.id,
      });
      await publish(
        { id: 'e1', data: { order: { name: 'orders/o1', total: 7 }, subject: 'theirs' } },
        { id: 'e2', order: 'o2' },
        { id: 'e3' },
      );
      await callback.got(2);
      const [first] = callback.delivered;
      verify(secret, first!);
      const body = JSON.parse(first!.body);
      expect(body).toEqual({
        eventId: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        name: orderCreated,
        timestamp: '2026-01-01T00:00:00.000Z',
        data: { order: { name: 'orders/o1', total: 7 }, subject: '//shop/orders/o1' },
        cursor: expect.any(String),
      });
      expect(first!.headers).toMatchObject({
        'webhook-id': body.eventId,
        'content-type': 'application/json',
        'x-mcp-subscription-id': result.id,
        'user-agent': 'tradewind',
      });
      expect(Object.keys(first!.headers).filter((name) => name.startsWith('ce-'))).toEqual([]);
      expect(first!.headers['content-encoding']).toBeUndefined();
      const stored = await database.all(sql`SELECT * FROM events_lanes`);
      expect(JSON.stringify(stored)).not.toContain(secret);
    },
  );

  test.each([
    ['an answer that does not echo', { status: 200, body: '{"challenge":"other"}' }],
    ['plain text', { status: 200, body: 'text' }],
    ['an answer in the 4xx', { status: 404 }],
    ['an answer in the 5xx', { status: 500 }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
    ['an answer of more than 4 KiB', { status: 200, body: `{"pad":"${'x'.repeat(5_000)}"}` }],
  ])(
    '%s from an allowed network is challenge_failed, and nothing is stored [M28, M31, M32, M63, M70]',
    async (_, answer) => {
      const { rpc, database, publish, events } = await open();
      const receiver = await startWebhookReceiver(() => answer, { agrees: false });
      const { error, status } = await rpc('events/subscribe', toOrder(receiver.url));
      expect({ status, error }).toEqual({
        status: 200,
        error: {
          code: -32_015,
          message: 'CallbackEndpointError',
          data: { reason: 'challenge_failed' },
        },
      });
      await publish({ id: 'e1' });
      expect(receiver.received).toHaveLength(1);
      expect(receiver.received.map(({ method }) => method)).toEqual(['POST']);
      expect(await database.all(sql`SELECT id FROM events_subscriptions`)).toEqual([]);
      expect(events).toBeDefined();
    },
  );

  test.each([
    [
      'nobody listens',
      'http://127.0.0.1:1/',
      { code: -32_015, data: { reason: 'challenge_failed' } },
    ],
    [
      'a private address',
      'https://10.0.0.1/',
      { code: -32_602, data: { field: 'delivery.url', reason: 'address_refused' } },
    ],
    [
      'a name for loopback where nobody listens',
      'https://localhost:1/',
      { code: -32_015, data: { reason: 'challenge_failed' } },
    ],
    ['plain http', 'http://example.com/', { code: -32_602, data: { field: 'delivery.url' } }],
    [
      'plain http to a name for loopback',
      'http://localhost:1/',
      { code: -32_602, data: { field: 'delivery.url' } },
    ],
    [
      'a user and password',
      'https://a:b@example.com/',
      { code: -32_602, data: { field: 'delivery.url' } },
    ],
    ['a fragment', 'https://example.com/#a', { code: -32_602, data: { field: 'delivery.url' } }],
    ['no address', 'hook', { code: -32_602, data: { field: 'delivery.url' } }],
    [
      '2,049 characters',
      `https://example.com/${'a'.repeat(2_029)}`,
      { code: -32_602, data: { field: 'delivery.url' } },
    ],
    [
      'a name without an address',
      'https://nowhere.invalid/',
      { code: -32_015, data: { reason: 'connection_refused' } },
    ],
  ])('%s is refused [M17, M32, M69]', async (_, url, error) => {
    const { rpc, database } = await open();
    expect((await rpc('events/subscribe', toOrder(url))).error).toMatchObject(error);
    expect(await database.all(sql`SELECT id FROM events_subscriptions`)).toEqual([]);
  });

  test('loopback is refused where it is not an allowed network [M17, M69]', async () => {
    const { rpc } = await open({ settings: { webhookAllow: [] } });
    const { url } = await startCallback();
    expect((await rpc('events/subscribe', toOrder(url))).error.code).toBe(-32_602);
    const { error } = await rpc('events/subscribe', toOrder('https://127.0.0.1:1/'));
    expect(error).toMatchObject({ code: -32_602, data: { reason: 'address_refused' } });
  });

  test.each([
    ...[8, 23, 65].map((bytes) => `whsec_${Buffer.alloc(bytes, 255).toString('base64')}`),
    Buffer.alloc(32, 7).toString('base64'),
    `whsec_${Buffer.alloc(32, 255).toString('base64url')}`,
    `whsk_${Buffer.alloc(32, 7).toString('base64')}`,
    `${secret} ${otherSecret}`,
    '',
    7,
  ])('the secret %j is refused before any request [M18, M19]', async (given) => {
    const { rpc } = await open({ isDelivering: false });
    const callback = await startCallback();
    const params = toOrder(callback.url, { delivery: { url: callback.url, secret: given } });
    const { error } = await rpc('events/subscribe', params);
    expect(error).toMatchObject({ code: -32_602, data: { field: 'delivery.secret' } });
    expect(callback.challenged).toEqual([]);
  });

  test('takes secrets of 24 to 64 bytes, padded or not [M18]', async () => {
    const { rpc } = await open({ isDelivering: false });
    const callback = await startCallback();
    for (const bytes of [24, 25, 26, 64]) {
      const padded = `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
      for (const given of [padded, padded.replaceAll('=', '')]) {
        const delivery = { url: callback.url, secret: given };
        expect((await rpc('events/subscribe', toOrder('', { delivery }))).error).toBeUndefined();
      }
    }
  });

  test.each([
    [{ name: 'no.such.v1.event' }, { code: -32_011, message: 'NotFound', data: { kind: 'event' } }],
    [{ name: undefined }, { code: -32_602, data: { field: 'name' } }],
    [{ name: 'google.workspace.chat.message.v1.created' }, { code: -32_011 }],
    [
      { delivery: { mode: 'push', url: 'x' } },
      { code: -32_014, message: 'Unsupported', data: { feature: 'deliveryMode', value: 'push' } },
    ],
    [
      { arguments: { other: 1 }, ttlMs: -1 },
      { code: -32_602, data: { field: 'arguments.other' } },
    ],
    [{ arguments: [] }, { code: -32_602, data: { field: 'arguments' } }],
    [{ arguments: { order: 'x'.repeat(5_000) } }, { code: -32_602 }],
    [
      { ttlMs: -1, cursor: 7 },
      { code: -32_602, data: { field: 'ttlMs' } },
    ],
    [{ ttlMs: 1.5 }, { code: -32_602, data: { field: 'ttlMs' } }],
    [
      { cursor: 7, delivery: {} },
      { code: -32_602, data: { field: 'cursor' } },
    ],
    [{ delivery: {} }, { code: -32_602, data: { field: 'delivery.url' } }],
    [{ delivery: { url: 'https://a.b/' } }, { code: -32_602, data: { field: 'delivery.secret' } }],
  ])(
    'subscribing with %j is refused by the first check that fails [M14, M19, M63]',
    async (more, error) => {
      const { rpc } = await open({ isDelivering: false });
      const answer = await rpc('events/subscribe', toOrder('https://a.b/', more));
      expect(answer.error).toMatchObject(error);
      expect(answer.status).toBe(200);
    },
  );

  test('the same key is one subscription, any other another one, of one target too [M15, M16]', async () => {
    const { rpc, database, clock } = await open();
    expect(clock).toBeDefined();
    const callback = await startCallback();
    const args = { order: 'o1' };
    const idOf = async (params: Record<string, unknown>, token?: string) =>
      (await rpc('events/subscribe', params, token === undefined ? {} : { token })).result.id;
    const first = await idOf(toOrder(callback.url));
    expect(await idOf(toOrder(callback.url, { arguments: { ...args } }))).toBe(first);
    const others = [
      await idOf(toOrder(`${callback.url}&b=1`)),
      await idOf(toOrder(callback.url, { arguments: {} })),
      await idOf(toOrder(callback.url), tokenOf('bob', 'subscriptions.write')),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
    const rows = await database.all<{ id: string; mcp_id: string }>(
      sql`SELECT id, mcp_id FROM events_subscriptions`,
    );
    expect(rows.map((row) => row.mcp_id).sort()).toEqual([first, ...others].sort());
    expect(rows.some(({ id }) => first.includes(id))).toBe(false);
    await rpc('events/unsubscribe', toOrder(callback.url));
    expect(await idOf(toOrder(callback.url))).toBe(first);
  });

  test('a pass lasts a day for everything at the address, and longer for a trusted origin [M29, M30, M33]', async () => {
    const { clock, advance } = createMovedClock();
    const { rpc, database } = await open({ clock });
    const callback = await startCallback();
    await rpc('events/subscribe', toOrder(callback.url));
    const delivery = { url: callback.url, secret: otherSecret };
    await rpc('events/subscribe', toOrder('', { delivery, arguments: {} }));
    expect(callback.challenged).toHaveLength(1);
    await rpc('events/subscribe', toOrder(callback.url), {
      token: tokenOf('bob', 'subscriptions.write'),
    });
    expect(callback.challenged).toHaveLength(2);
    advance(25 * hour);
    await rpc('events/subscribe', toOrder(callback.url));
    expect(callback.challenged).toHaveLength(3);
    expect(
      JSON.stringify(await database.all(sql`SELECT * FROM events_callback_checks`)),
    ).not.toContain('private');
    const trusted = await startCallback();
    const opened = await open({ settings: { webhookTrusted: [new URL(trusted.url).origin] } });
    expect((await opened.rpc('events/subscribe', toOrder(trusted.url))).result.id).toBeDefined();
    expect(trusted.challenged).toEqual([]);
  });

  test('a refresh renews, tells how delivery was, and signs by both secrets for ten minutes [M20, M22, M23]', async () => {
    const { clock, advance } = createMovedClock();
    const { rpc, publish } = await open({ clock });
    const callback = await startCallback();
    const before = await rpc('events/subscribe', toOrder(callback.url, { ttlMs: 90_000 }));
    expect(before.result.deliveryStatus).toBeUndefined();
    await publish({ id: 'e1' });
    await callback.got(1);
    advance(30_000);
    const delivery = { url: callback.url, secret: otherSecret };
    const { result } = await rpc('events/subscribe', toOrder('', { delivery, ttlMs: 3_600_000 }));
    expect(result).toMatchObject({
      id: before.result.id,
      deliveryStatus: {
        active: true,
        lastDeliveryAt: expect.any(String),
        lastError: null,
        failedSince: null,
      },
    });
    expect(Date.parse(result.refreshBefore)).toBeGreaterThan(
      Date.parse(before.result.refreshBefore),
    );
    await publish({ id: 'e2' });
    await callback.got(2);
    const [, both] = callback.delivered;
    expect(both!.headers['webhook-signature']?.toString().split(' ')).toHaveLength(2);
    verify(secret, both!);
    verify(otherSecret, both!);
    advance(11 * 60_000);
    await publish({ id: 'e3' });
    await callback.got(3);
    const [, , one] = callback.delivered;
    expect(one!.headers['webhook-signature']?.toString().split(' ')).toHaveLength(1);
  });

  test.each([
    [0, 60_000],
    [90_000, 90_000],
    [99 * 24 * hour, 7 * 24 * hour],
    [null, 7 * 24 * hour],
  ])('a lifetime of %s ms grants %s [M21]', async (ttlMs, granted) => {
    const { rpc, clock } = await open({ isDelivering: false });
    expect(clock).toBeDefined();
    const callback = await startCallback();
    const { result } = await rpc('events/subscribe', toOrder(callback.url, { ttlMs }));
    const lasts = Date.parse(result.refreshBefore) - Date.now();
    expect(lasts).toBeGreaterThan(granted - 30_000);
    expect(lasts).toBeLessThanOrEqual(granted);
  });

  test('nothing is sent from the end on, also of what waits [M42]', async () => {
    const { clock, advance } = createMovedClock();
    const { rpc, publish, database } = await open({ clock });
    let isDown = true;
    const callback = await startCallback(() => ({ status: isDown ? 503 : 204 }));
    await rpc('events/subscribe', toOrder(callback.url, { ttlMs: 60_000 }));
    await publish({ id: 'e1' });
    await callback.got(1);
    advance(61_000);
    isDown = false;
    await publish({ id: 'e2' });
    await eventually(async () => {
      const [row] = await database.all(sql`SELECT state FROM events_subscriptions`);
      expect(row).toEqual({ state: 'DELETED' });
    });
    await eventually(async () =>
      expect(await database.all(sql`SELECT lane FROM events_lanes WHERE state <> 'ENDED'`)).toEqual(
        [],
      ),
    );
    expect(callback.delivered.every(({ body }) => !body.includes('"terminated"'))).toBe(true);
    const arrived = callback.delivered.length;
    const again = await rpc('events/subscribe', toOrder(callback.url));
    expect(again.result.truncated).toBe(false);
    await publish({ id: 'e3' });
    await callback.got(arrived + 1);
    expect(callback.bodies().at(-1)).toMatchObject({ data: { subject: '//shop/orders/o1' } });
  });

  test('retries with the same id and body under new signatures [M36, M38, M43]', async () => {
    const { clock, advance } = createMovedClock();
    const { rpc, publish } = await open({ clock });
    const callback = await startCallback((_, index) => {
      advance(1_000);
      return { status: index < 2 ? 503 : 200 };
    });
    await rpc('events/subscribe', toOrder(callback.url));
    await publish({ id: 'e1' });
    await callback.got(3);
    expect(new Set(callback.delivered.map(({ body }) => body)).size).toBe(1);
    expect(new Set(eventIdsOf(callback.delivered)).size).toBe(1);
    for (const name of ['webhook-timestamp', 'webhook-signature']) {
      expect(new Set(callback.delivered.map(({ headers }) => headers[name])).size).toBe(3);
    }
    for (const one of callback.delivered) {
      expect(one.headers['webhook-id']).toBe(eventIdsOf(callback.delivered)[0]);
    }
  });

  test.each([410, 413])(
    '%s ends one delivery at once, and the next event follows [M43, M40]',
    async (status) => {
      const { rpc, publish, call } = await open();
      const callback = await startCallback((_, index) => ({ status: index === 0 ? status : 204 }));
      await rpc('events/subscribe', toOrder(callback.url));
      await publish({ id: 'e1' });
      await callback.got(1);
      await publish({ id: 'e2' }, { id: 'e3' });
      await callback.got(3);
      expect(new Set(eventIdsOf(callback.delivered)).size).toBe(3);
      const { body } = await call('GET', '/v1/monitor/subscriptions', { as: 'operator' });
      const [{ subscription }] = body.subscriptions;
      expect(subscription.state).toBe('ACTIVE');
      const log = await call('GET', `/v1/monitor/${subscription.name}/deliveries`, {
        as: 'operator',
      });
      expect(log.body.deliveries.map(({ state }: { state: string }) => state)).toEqual([
        'UNDELIVERED',
        'DELIVERED',
        'DELIVERED',
      ]);
      expect(log.body.deliveries.map(({ eventId }: { eventId: string }) => eventId)).toEqual(
        eventIdsOf(callback.delivered),
      );
    },
  );

  test('other refusals end one delivery after five attempts, and three of them within an hour nothing more [M43]', async () => {
    const { clock, advance } = createMovedClock();
    const { rpc, publish, database } = await open({ clock });
    let isRefusing = true;
    const callback = await startCallback(() => ({ status: isRefusing ? 400 : 204 }));
    await rpc('events/subscribe', toOrder(callback.url));
    for (const n of [1, 2, 3]) {
      await publish({ id: `e${n}` });
      await callback.got(5 * n);
    }
    const stateOf = async () =>
      (await database.first(sql`SELECT state FROM events_subscriptions`))?.state;
    await eventually(async () =>
      expect(await database.first(sql`SELECT given_up FROM events_lanes`)).toEqual({ given_up: 3 }),
    );
    expect(await stateOf()).toBe('ACTIVE');
    advance(hour);
    await publish({ id: 'e4' });
    await callback.got(20);
    await eventually(async () => expect(await stateOf()).toBe('SUSPENDED'));
    await publish({ id: 'e5' }, { id: 'e6' });
    isRefusing = false;
    const { result, error } = await rpc('events/subscribe', toOrder(callback.url));
    expect(error).toBeUndefined();
    expect(result.deliveryStatus).toMatchObject({ active: false, lastError: 'http_4xx' });
    await callback.got(22);
    const ids = eventIdsOf(callback.delivered);
    expect(new Set(ids).size).toBe(6);
    expect(callback.bodies().some(({ type }) => type !== undefined)).toBe(false);
    expect(await stateOf()).toBe('ACTIVE');
  });

  test('a large event is reduced to its names [M39]', async () => {
    const { rpc, publish } = await open();
    const callback = await startCallback();
    await rpc('events/subscribe', toOrder(callback.url));
    const order = { name: 'orders/o1', text: '\u0001'.repeat(43_400) };
    await publish({ id: 'e1', data: { order, other: 7 } });
    await callback.got(1);
    const [{ body }] = callback.delivered as [Received];
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(262_144);
    expect(JSON.parse(body).data).toEqual({
      order: { name: 'orders/o1' },
      subject: '//shop/orders/o1',
    });
  });

  test('a new subscription gets the stored events after its cursor, in order [M24, M26]', async () => {
    const { rpc, publish } = await open();
    const callback = await startCallback();
    const { result } = await rpc('events/subscribe', toOrder(callback.url));
    await publish({ id: 'e1' }, { id: 'x', order: 'other' }, { id: 'e2' });
    await callback.got(2);
    await rpc('events/unsubscribe', toOrder(callback.url));
    await publish({ id: 'e3' });
    const again = await rpc(
      'events/subscribe',
      toOrder(callback.url, { cursor: callback.bodies()[0].cursor }),
    );
    expect(again.result.truncated).toBe(false);
    await callback.got(4);
    const ids = eventIdsOf(callback.delivered);
    expect(ids[2]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
    const other = await rpc(
      'events/subscribe',
      toOrder(`${callback.url}&n=2`, { cursor: result.cursor, maxAgeMs: 0 }),
    );
    expect(other.result.truncated).toBe(true);
    const stale = await rpc(
      'events/subscribe',
      toOrder(`${callback.url}&n=3`, { cursor: 'of another server' }),
    );
    expect(stale.result.truncated).toBe(true);
  });

  test('unsubscribing ends it quietly, and says nothing of what is not there [M45, M47, M48]', async () => {
    const { rpc, publish, database } = await open();
    const callback = await startCallback();
    await rpc('events/subscribe', toOrder(callback.url));
    const bob = tokenOf('bob', 'subscriptions.write');
    expect(
      (await rpc('events/unsubscribe', toOrder(callback.url), { token: bob })).error,
    ).toBeUndefined();
    await publish({ id: 'e1' });
    await callback.got(1);
    const { name, arguments: given } = toOrder(callback.url);
    const gone = { name, arguments: given, delivery: { mode: 'nonsense', url: callback.url } };
    for (const params of [gone, gone, { ...gone, name: 'no.such' }]) {
      const { result, error } = await rpc('events/unsubscribe', params);
      expect(error).toBeUndefined();
      const { _meta, resultType: _, ...answer } = result;
      expect(answer).toEqual({});
    }
    await publish({ id: 'e2' });
    await eventually(async () =>
      expect(await database.all(sql`SELECT lane FROM events_lanes WHERE state <> 'ENDED'`)).toEqual(
        [],
      ),
    );
    expect(callback.delivered).toHaveLength(1);
  });

  test('whoever deletes it otherwise has a terminated body posted [M45, M46, M73]', async () => {
    const { rpc, publish, call } = await open();
    const callback = await startCallback(({ body }) => ({
      status: body.includes('"terminated"') ? 400 : 503,
    }));
    const { result } = await rpc('events/subscribe', toOrder(callback.url));
    await publish({ id: 'e1' });
    await callback.got(1);
    const { body } = await call('GET', '/v1/monitor/subscriptions', { as: 'operator' });
    const [{ subscription }] = body.subscriptions;
    expect(
      (await call('DELETE', `/v1/monitor/${subscription.name}`, { as: 'operator' })).status,
    ).toBe(200);
    const terminated = () => callback.delivered.filter((one) => one.body.includes('"terminated"'));
    await eventually(() => expect(terminated()).toHaveLength(3));
    expect(JSON.parse(terminated()[0]!.body)).toEqual({
      type: 'terminated',
      error: { code: -32_012, message: 'Forbidden', data: { reason: 'subscription_deleted' } },
    });
    expect(new Set(terminated().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(terminated()[0]!.headers['webhook-id']).toMatch(/^msg_terminated_/);
    expect(terminated()[0]!.headers['x-mcp-subscription-id']).toBe(result.id);
    verify(secret, terminated()[0]!);
    expect(callback.delivered.at(-1)).toBe(terminated()[2]);
  });

  test('REST neither changes it nor rotates its secret [M73]', async () => {
    const { rpc, call } = await open();
    const callback = await startCallback();
    const { result } = await rpc('events/subscribe', toOrder(callback.url));
    const { body } = await call('GET', '/v1/monitor/subscriptions', { as: 'operator' });
    const [entry] = body.subscriptions;
    expect(entry).toMatchObject({
      id: result.id,
      name: orderCreated,
      arguments: { order: 'o1' },
      mode: 'webhook',
      refreshBefore: result.refreshBefore,
    });
    const { name } = entry.subscription;
    for (const path of [`${name}:rotateSecret`, `${name}:renew`]) {
      const { status } = await call('POST', `/v1/monitor/${path}`, { as: 'operator', body: {} });
      expect(status).toBe(400);
    }
    const test = await call('POST', `/v1/monitor/${name}:sendTestEvent`, {
      as: 'operator',
      body: {},
    });
    expect(test.status).toBe(200);
    await callback.got(1);
    expect(eventIdsOf(callback.delivered)).toEqual([test.body.eventId]);
    const replay = { eventIds: [test.body.eventId] };
    const again = await call('POST', `/v1/monitor/${name}:replay`, {
      as: 'operator',
      body: replay,
    });
    expect(again.body).toEqual({ replayed: 1 });
    await callback.got(2);
    expect(new Set(eventIdsOf(callback.delivered)).size).toBe(1);
    const attempts = await call('GET', `/v1/monitor/${name}/attempts`, { as: 'operator' });
    expect(attempts.body.attempts[0]).toMatchObject({
      outcome: 'ACCEPTED',
      request: {
        body: callback.delivered[1]?.body,
        headers: { 'webhook-id': test.body.eventId, 'x-mcp-subscription-id': result.id },
      },
    });
  });
});
