import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished } from 'vitest';
import { createNatsKind } from '../../src/events/delivery/endpoints/nats-endpoint.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createTracer, type EndedSpan } from '../../src/kernel/telemetry/trace.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { startNats } from '../support/start-nats.ts';
import { testsWith } from '../support/tests-with.ts';

const { describe, it } = testsWith('nats');

const event = (id: string, number: number) => ({
  number,
  id,
  source: '//events.test/subscriptions/s',
  type: 'shop.order.v1.created',
  subject: '//shop/orders/ö',
  time: '2026-01-01T00:00:00.000Z',
  data: `{"order":{"name":"orders/${id}"}}`,
});
const batch = (id: string, number = 1) => ({
  id,
  events: [event(id, number)],
  at: 0,
  isRetry: false,
});
const { signal } = new AbortController();

describe('the NATS endpoint', () => {
  async function setUp() {
    const nats = await startNats();
    const kind = createNatsKind({ url: nats.url, prefixes: ['orders'] });
    onTestFinished(() => kind.close());
    const client = await connect({ servers: nats.url });
    onTestFinished(() => client.close());
    const endpoint = kind.open({ kind: 'natsSubject', subject: 'orders.new' }, { secrets: [] });
    return { nats, kind, client, endpoint };
  }

  it('publishes an event on its subject, attributes as headers [E14.19]', async () => {
    const { client, endpoint } = await setUp();
    const subscription = client.subscribe('orders.new', { max: 2 });
    await client.flush();
    expect(await endpoint.send(batch('one'), signal)).toEqual({ isAccepted: true });
    expect(await endpoint.send(batch('two'), signal)).toEqual({ isAccepted: true });
    const messages = [];
    for await (const message of subscription) messages.push(message);
    expect(messages.map((message) => message.json())).toEqual([
      { order: { name: 'orders/one' } },
      { order: { name: 'orders/two' } },
    ]);
    const headers = messages[0]?.headers;
    expect(headers?.get('ce-id')).toBe('one');
    expect(headers?.get('ce-type')).toBe('shop.order.v1.created');
    expect(headers?.get('ce-source')).toBe('//events.test/subscriptions/s');
    expect(headers?.get('ce-subject')).toBe('//shop/orders/%C3%B6');
    expect(headers?.get('ce-specversion')).toBe('1.0');
    expect(headers?.get('content-type')).toBe('application/json');
  });

  it('a message is a step of the trace of its event, and hands it on [T5]', async () => {
    const nats = await startNats();
    const ended: EndedSpan[] = [];
    const record = (span: EndedSpan) => void ended.push(span);
    const tracer = createTracer({ clock: systemClock, random: systemRandom, record });
    const kind = createNatsKind({ url: nats.url, prefixes: ['orders'], tracer });
    onTestFinished(() => kind.close());
    const client = await connect({ servers: nats.url });
    onTestFinished(() => client.close());
    const subscription = client.subscribe('orders.new', { max: 1 });
    await client.flush();
    const endpoint = kind.open({ kind: 'natsSubject', subject: 'orders.new' }, { secrets: [] });
    const published = tracer.begin('server', undefined);
    await endpoint.send({ ...batch('one'), trace: published.header }, signal);
    for await (const { headers } of subscription) {
      const [span] = ended;
      expect(span).toMatchObject({ traceId: published.traceId, parentId: published.spanId });
      expect(headers?.get('traceparent')).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
    }
    expect(ended).toHaveLength(1);
  });

  it('stores an event once in a stream however often it is tried, and its replay [E14.19]', async () => {
    const { client, endpoint } = await setUp();
    const manager = await jetstreamManager(client);
    await manager.streams.add({ name: 'ORDERS', subjects: ['orders.>'] });
    for (const number of [1, 1, 2]) await endpoint.send(batch('one', number), signal);
    expect((await manager.streams.info('ORDERS')).state.messages).toBe(2);
  });

  it('takes a subject while the server answers [E14.19]', async () => {
    const { kind } = await setUp();
    expect(await kind.check({ kind: 'natsSubject', subject: 'orders.new' })).toBeUndefined();
  });

  it('fails while nobody answers, and says nothing of the address [E14.19]', async () => {
    const kind = createNatsKind({ url: 'nats://user:secret@127.0.0.1:9', prefixes: ['a'] });
    const endpoint = kind.open({ kind: 'natsSubject', subject: 'a' }, { secrets: [] });
    const outcome = await endpoint.send(batch('one'), signal);
    expect(outcome).toMatchObject({ isAccepted: false, reason: 'OTHER', isUnreachable: true });
    expect(JSON.stringify(outcome)).not.toContain('secret');
    const problem = await kind.check({ kind: 'natsSubject', subject: 'a' });
    expect(problem).toMatchObject({ status: 'UNAVAILABLE' });
    expect(JSON.stringify(problem)).not.toContain('secret');
  });
});
