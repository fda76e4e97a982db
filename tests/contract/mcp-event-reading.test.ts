import { describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { tokenOf } from '../support/context-endpoint.ts';
import { eventually } from '../support/eventually.ts';
import {
  eras,
  type McpEventsWorld,
  openMcpEvents,
  orderCreated,
} from '../support/open-mcp-events.ts';
import { migratedEngines } from '../support/test-engines.ts';

const order = { name: orderCreated, arguments: { order: 'o1' } };
const idsOf = (events: readonly { eventId: string }[]) => events.map(({ eventId }) => eventId);
const reader = tokenOf('ann', 'subscriptions.read');

type Frame = {
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into frames of any shape
  readonly params?: any;
  readonly result?: unknown;
  readonly error?: unknown;
};

/** Reads the frames of a stream of events; `cut` closes its connection. */
async function openStream(
  { send }: McpEventsWorld,
  params: object,
  id: string | number = 'stream-1',
) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const response = await send('events/stream', params, {
    id,
    token: reader,
    signal: ending.signal,
  });
  const reading = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const frames: Frame[] = [];
  let text = '';
  let isOver = false;
  async function next(): Promise<Frame | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end === -1) {
        const { done, value } = await reading.read();
        isOver = done;
        if (done) return undefined;
        text += value;
        continue;
      }
      const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data === undefined) continue;
      const frame: Frame = JSON.parse(data);
      frames.push(frame);
      return frame;
    }
  }
  return { response, next, frames, isOver: () => isOver, cut: () => reading.cancel() };
}

describe.each(migratedEngines)('reading MCP events on $engine', ({ createStore }) => {
  const open = async (options: Parameters<typeof openMcpEvents>[1] = {}) =>
    openMcpEvents(await (await createStore()).open(), options);

  test.each(eras)(
    'polls from null, then what came since, as often as wanted, in %s [M49, M50, M52, M53, M54]',
    async (era) => {
      const { rpc, publish } = await open({ era });
      await publish({ id: 'e0' });
      const poll = async (more: object = {}) => {
        const { result } = await rpc('events/poll', { ...order, ...more }, { token: reader });
        const { resultType: _, _meta, ...answer } = result;
        return answer;
      };
      const begun = await poll({ cursor: null });
      expect(begun).toEqual({
        events: [],
        cursor: expect.any(String),
        truncated: false,
        hasMore: false,
        nextPollMs: 5_000,
      });
      await publish({ id: 'e1' }, { id: 'e2' }, { id: 'e3' }, { id: 'x', order: 'other' });
      const two = await poll({ cursor: begun.cursor, maxEvents: 2 });
      expect(two).toMatchObject({ hasMore: true, nextPollMs: 1_000, truncated: false });
      expect(two.events).toHaveLength(2);
      expect(two.events[0]).toEqual({
        eventId: expect.stringMatching(/^evt_/),
        name: orderCreated,
        timestamp: expect.any(String),
        data: { order: { name: 'orders/o1' }, subject: '//shop/orders/o1' },
      });
      const last = await poll({ cursor: two.cursor });
      expect(last).toMatchObject({ hasMore: false });
      const again = await poll({ cursor: begun.cursor });
      expect(idsOf(again.events)).toEqual([...idsOf(two.events), ...idsOf(last.events)]);
      expect(new Set(idsOf(again.events)).size).toBe(3);
      expect((await poll({ cursor: last.cursor })).events).toEqual([]);
      const waiting = poll({ cursor: last.cursor, timeoutMs: 30_000 });
      await publish({ id: 'e4' });
      expect((await waiting).events).toHaveLength(1);
    },
  );

  test.each([-1, 0, 1.5, '2'])('refuses maxEvents of %j [M49]', async (maxEvents) => {
    const { rpc } = await open({ isDelivering: false });
    const { error } = await rpc('events/poll', { ...order, maxEvents });
    expect(error).toMatchObject({ code: -32_602, data: { field: 'maxEvents' } });
  });

  test('a lease is one subscription, renewed by calls, and ends a day after the last [M51, M52, M24]', async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    const { rpc, publish, database } = await open({ clock });
    const hour = 3_600_000;
    const poll = async (cursor?: string) =>
      (await rpc('events/poll', { ...order, cursor }, { token: reader })).result;
    const begun = await poll();
    ahead = 20 * hour;
    await poll(begun.cursor);
    const live = () =>
      database.all(sql`SELECT expires_at FROM events_subscriptions WHERE state <> 'DELETED'`);
    const [row] = await live();
    expect(Number(row?.expires_at) - clock.now()).toBeGreaterThanOrEqual(24 * hour - 60_000);
    await publish({ id: 'e1' });
    ahead += 26 * hour;
    await eventually(async () => expect(await live()).toEqual([]));
    await publish({ id: 'e2' });
    const after = await poll(begun.cursor);
    expect(after.truncated).toBe(false);
    expect(after.events).toHaveLength(2);
    const old = await rpc(
      'events/poll',
      { ...order, cursor: begun.cursor, maxAgeMs: 0 },
      { token: reader },
    );
    expect(old.result).toMatchObject({ events: [], truncated: true });
    const stale = await poll('ancient');
    expect(stale).toMatchObject({ events: [], truncated: true });
  });

  test.each(eras)(
    'streams what comes after the cursor, in order, and goes on after a cut in %s [M55, M56, M59, M26, M36]',
    async (era) => {
      const world = await open({ era });
      const { rpc, publish, database } = world;
      const { result: begun } = await rpc('events/poll', order, { token: reader });
      await publish({ id: 'e1' }, { id: 'e2' });
      const first = await openStream(world, { ...order, cursor: begun.cursor }, 7);
      expect(first.response.headers.get('content-type')).toContain('text/event-stream');
      expect(await first.next()).toMatchObject({
        method: 'notifications/events/active',
        params: {
          truncated: false,
          cursor: expect.any(String),
          _meta: { 'io.modelcontextprotocol/subscriptionId': 7 },
        },
      });
      const one = await first.next();
      expect(one).toMatchObject({
        method: 'notifications/events/event',
        params: {
          name: orderCreated,
          cursor: expect.any(String),
          _meta: { 'io.modelcontextprotocol/subscriptionId': 7 },
        },
      });
      await first.cut();
      await publish({ id: 'e3' });
      const second = await openStream(world, { ...order, cursor: one!.params.cursor }, 'again');
      await second.next();
      const rest = [await second.next(), await second.next()];
      const { result: polled } = await rpc(
        'events/poll',
        { ...order, cursor: begun.cursor },
        { token: reader },
      );
      expect([one, ...rest].map((frame) => frame!.params.eventId)).toEqual(idsOf(polled.events));
      const stale = await openStream(world, { ...order, cursor: 'ancient' }, 'stale');
      expect(await stale.next()).toMatchObject({ params: { truncated: true } });
      const leases = await database.all(
        sql`SELECT id FROM events_subscriptions WHERE state = 'ACTIVE'`,
      );
      expect(leases).toHaveLength(1);
    },
  );

  test.each(eras)('an invalid stream is an error and no stream in %s [M55, M63]', async (era) => {
    const { send } = await open({ era, isDelivering: false });
    const response = await send('events/stream', { name: 'no.such.v1.event' }, { token: reader });
    const text = await response.text();
    expect(text).toContain('"code":-32011');
    expect(text).not.toContain('notifications/events');
  });

  test('a lost right is told, and then the result [M58, M45]', async () => {
    const world = await open();
    const stream = await openStream(world, order);
    await stream.next();
    const { body } = await world.call('GET', '/v1/monitor/subscriptions', { as: 'operator' });
    const [{ subscription, mode }] = body.subscriptions;
    expect(mode).toBe('poll');
    await world.call('DELETE', `/v1/monitor/${subscription.name}`, { as: 'operator' });
    expect(await stream.next()).toMatchObject({
      method: 'notifications/events/terminated',
      params: { error: { code: -32_012, message: 'Forbidden' } },
    });
    expect(await stream.next()).toMatchObject({ result: {} });
  });

  test.each(eras)(
    'the end of the process closes a stream without a result in %s [M60]',
    async (era) => {
      const world = await open({ era });
      const stream = await openStream(world, order);
      await stream.next();
      await world.close();
      expect(await stream.next()).toBeUndefined();
      expect(stream.frames.map(({ method }) => method)).toEqual(['notifications/events/active']);
    },
  );

  test('notifications/cancelled ends a stream of a session [M59]', async () => {
    const world = await open({ era: '2025-11-25' });
    const stream = await openStream(world, order, 'to cancel');
    await stream.next();
    const notified = await world.notify(
      'notifications/cancelled',
      { requestId: 'to cancel' },
      reader,
    );
    expect(notified.status).toBe(202);
    await eventually(async () =>
      expect((await world.metricsOf()).match(/mcp_events_streams (\d+)/)?.[1]).toBe('0'),
    );
  });

  test('streams beyond the bound are refused [M61]', async () => {
    const world = await open();
    const streams = [];
    for (let n = 0; n < 32; n++) streams.push(await openStream(world, order, `s${n}`));
    for (const stream of streams) await stream.next();
    const { error } = await world.rpc('events/stream', order, { token: reader });
    expect(error).toMatchObject({
      code: -32_013,
      message: 'ResourceExhausted',
      data: { limit: 'open_streams', max: 32, retryAfterMs: expect.any(Number) },
    });
  });

  test.each(eras)(
    'tokens with too few scopes are challenged, with the error in the body, in %s [M64, M66]',
    async (era) => {
      const { rpc, fetch } = await open({ era, isDelivering: false });
      const target = { ...order, delivery: { url: 'https://a.b/' } };
      for (const [method, token] of [
        ['events/subscribe', reader],
        ['events/unsubscribe', reader],
        ['events/poll', tokenOf('ann', 'swap.read')],
        ['events/stream', tokenOf('ann', 'swap.read')],
      ] as const) {
        const { status, error, headers } = await rpc(method, target, { token });
        expect({ method, status, error }).toMatchObject({
          status: 403,
          error: { code: -32_012, message: 'Forbidden' },
        });
        expect(headers.get('www-authenticate')).toContain('insufficient_scope');
      }
      const price = { name: 'tradewind.swap.price.v1.moved', arguments: {} };
      const lacking = await rpc('events/poll', price, { token: reader });
      expect(lacking).toMatchObject({ status: 403, error: { code: -32_012 } });
      const bare = await fetch('http://localhost:8787/mcp', { method: 'POST', body: '{}' });
      expect(bare.status).toBe(401);
      expect(bare.headers.get('www-authenticate')).toContain('subscriptions.write');
    },
  );

  test('counts calls, challenges, subscriptions and streams [M71]', async () => {
    const { rpc, metricsOf } = await open();
    await rpc('events/poll', order, { token: reader });
    await rpc('events/subscribe', {
      ...order,
      delivery: { url: 'http://127.0.0.1:1/', secret: `whsec_${'A'.repeat(32)}` },
    });
    const metrics = await metricsOf();
    expect(metrics).toContain('mcp_events_calls_total{method="events/poll",code="ok"} 1');
    expect(metrics).toContain('mcp_events_calls_total{method="events/subscribe",code="-32015"} 1');
    expect(metrics).toContain('mcp_events_verifications_total{reason="challenge_failed"} 1');
    expect(metrics).toContain('mcp_events_subscriptions{mode="webhook"} 0');
    expect(metrics).toContain('mcp_events_subscriptions{mode="poll"} 1');
    expect(metrics).toContain('mcp_events_streams 0');
  });
});
