import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/find-free-port.ts';
import {
  createTestSubscription as create,
  fileCreated,
  openTestEvents,
} from '../support/open-test-events.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { type Received, startWebhookReceiver } from '../support/webhook-receiver.ts';

const isEvent = ({ headers }: Received) => headers['webhook-signature'] !== undefined;

describe.each(migratedEngines)('webhooks on loopback on $engine', ({ createStore }) => {
  const open = async (webhookTrusted: readonly string[] = []) => {
    const database = await (await createStore()).open();
    const events = await openTestEvents(database, {
      clock: systemClock,
      settings: { webhookTrusted },
    });
    for (const worker of events.events.workers) startWorker(worker);
    const subscribe = async (uri: string) => {
      const notificationEndpoint = { webhook: { uri } };
      const targetResource = `//drive.googleapis.com/files/${new URL(uri).port}`;
      const { name } = await create(events, { targetResource, notificationEndpoint });
      return { name, targetResource };
    };
    const publish = async (subject: string, id: string) => {
      const body = {
        specversion: '1.0',
        id,
        source: '//test',
        type: fileCreated,
        subject,
        data: { file: { name: 'files/f' } },
      };
      const headers = { 'Content-Type': 'application/cloudevents+json' };
      await events.call('POST', '/v1/events', { as: 'operator', headers, body });
    };
    const attempts = async (name: string) => {
      const { body } = await events.call('GET', `/v1/${name}/deliveries`);
      return (body.deliveries?.[0]?.attempts ?? []) as object[];
    };
    return { ...events, subscribe, publish, attempts };
  };

  test('get no event before they agree, and their responses are not revealed [N3, F5]', async () => {
    const { subscribe, publish, attempts } = await open();
    const receivers = await Promise.all(
      [204, 404, 500].map((status) =>
        startWebhookReceiver(() => ({ status, body: 'whatever' }), { agrees: false }),
      ),
    );
    const dead = `http://127.0.0.1:${await findFreePort()}`;
    const logs: object[] = [];
    for (const uri of [...receivers.map(({ url }) => url), dead]) {
      const { name, targetResource } = await subscribe(uri);
      await publish(targetResource, uri);
      await eventually(async () => expect(await attempts(name)).not.toEqual([]));
      const [first] = await attempts(name);
      const { time: _time, ...told } = first as { time: string };
      logs.push(JSON.parse(JSON.stringify(told).replaceAll(new URL(uri).origin, 'ORIGIN')));
    }
    for (const { received } of receivers) {
      expect(received.map(({ method }) => method).slice(0, 2)).toEqual(['OPTIONS', 'POST']);
      expect(received.filter(isEvent)).toEqual([]);
    }
    expect(logs[0]).toMatchObject({ error: expect.stringContaining('did not agree') });
    expect(logs[0]).not.toHaveProperty('status');
    for (const log of logs) expect(log).toEqual(logs[0]);
  });

  test('are asked once, and get every event then [N3]', async () => {
    const { subscribe, publish } = await open();
    const { url, received, got } = await startWebhookReceiver(
      ({ method }) =>
        method === 'OPTIONS'
          ? { status: 200, headers: { 'webhook-allowed-origin': '*' } }
          : { status: 204 },
      { agrees: false },
    );
    const { targetResource } = await subscribe(url);
    expect(received).toEqual([]);
    await publish(targetResource, 'e1');
    await got(2);
    await publish(targetResource, 'e2');
    await got(3);
    expect(received.map(({ method }) => method)).toEqual(['OPTIONS', 'POST', 'POST']);
    expect(received.filter(isEvent).map(({ headers }) => headers['ce-id'])).toEqual(['e1', 'e2']);
  });

  test('need not be asked where the operator trusts their origin [N3]', async () => {
    const receiver = await startWebhookReceiver(() => ({ status: 204 }), { agrees: false });
    const { subscribe, publish } = await open([receiver.url]);
    const { targetResource } = await subscribe(`${receiver.url}/hook`);
    await publish(targetResource, 'e1');
    await receiver.got(1);
    expect(receiver.received.map(({ method }) => method)).toEqual(['POST']);
    expect(receiver.received.every(isEvent)).toBe(true);
  });
});
