import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { eventually } from '../support/eventually.ts';
import {
  createTestSubscription as create,
  fileCreated,
  openTestEvents,
  type TestEvents,
} from '../support/open-test-events.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { type Received, startWebhookReceiver } from '../support/webhook-receiver.ts';

const publish = ({ call }: TestEvents, id: string, as = 'operator') =>
  call('POST', '/v1/events', {
    as,
    headers: { 'Content-Type': 'application/cloudevents+json' },
    body: JSON.stringify({
      specversion: '1.0',
      id,
      source: '//test',
      type: fileCreated,
      subject: '//drive.googleapis.com/files/f1',
      data: { file: { name: 'files/f1' } },
    }),
  });
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['ce-id']);
const toWebhook = (uri: string) => ({ notificationEndpoint: { webhook: { uri } } });
const verifies = ({ headers, body }: Received, secret: string): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

describe.each(migratedEngines)('receivers on $engine', ({ createStore }) => {
  const open = async () => {
    const events = await openTestEvents(await (await createStore()).open(), { clock: systemClock });
    const start = () => events.events.workers.map(startWorker);
    const deliveries = async (name: string, as = 'alice') => {
      const { body } = await events.call('GET', `/v1/${name}/deliveries`, { as });
      return body.deliveries as { eventId: string; state: string; attempts: object[] }[];
    };
    return { ...events, start, deliveries };
  };

  test('verify with the old and the new secret until the overlap ends [E10.23, E14.41, E11.6]', async () => {
    const events = await open();
    const receiver = await startWebhookReceiver();
    const { name, notificationEndpoint } = await create(events, toWebhook(receiver.url));
    const first = notificationEndpoint.webhook.signingSecret;
    const rotate = async (body: object) => {
      const answer = await events.call('POST', `/v1/${name}:rotateSecret`, { body });
      expect(answer.body.previousExpireTime).toMatch(/Z$/);
      return answer.body.signingSecret as string;
    };
    const received = async (id: string) => {
      await publish(events, id);
      await eventually(() => expect(idsOf(receiver.received)).toContain(id));
      return receiver.received.find(({ headers }) => headers['ce-id'] === id)!;
    };
    events.start();

    const second = await rotate({});
    expect(second).toMatch(/^whsec_/);
    const during = await received('e1');
    expect([first, second].map((secret) => verifies(during, secret))).toEqual([true, true]);

    const given = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    expect(await rotate({ signingSecret: given, overlap: '0s' })).toBe(given);
    const after = await received('e2');
    expect([first, second, given].map((secret) => verifies(after, secret))).toEqual([
      false,
      false,
      true,
    ]);
    expect((await events.call('GET', `/v1/${name}`)).text).not.toContain('whsec_');
  });

  test('cannot rotate with malformed values, without a webhook, or for another principal [E14.41, E14.39]', async () => {
    const events = await open();
    const { name } = await create(events, toWebhook('http://127.0.0.1:9/'));
    const stream = await create(events, { targetResource: '//drive.googleapis.com/files/f2' });
    const statusOf = async (subscription: string, body: object, as = 'alice') => {
      const path = `/v1/${subscription}:rotateSecret`;
      const { body: answer, text } = await events.call('POST', path, { body, as });
      expect(text).not.toContain('hunter2');
      return answer.error?.status;
    };
    expect(await statusOf(name, { signingSecret: 'hunter2' })).toBe('INVALID_ARGUMENT');
    expect(await statusOf(name, { overlap: '604801s' })).toBe('INVALID_ARGUMENT');
    expect(await statusOf(name, { overlap: '-1s' })).toBe('INVALID_ARGUMENT');
    expect(await statusOf(stream.name, {})).toBe('FAILED_PRECONDITION');
    expect(await statusOf(name, {}, 'bob')).toBe('NOT_FOUND');
    expect(await statusOf(name, {}, 'reader')).toBe('PERMISSION_DENIED');
  });

  test('get 404 for deliveries, streams and replay of others [E14.39]', async () => {
    const events = await open();
    const { name } = await create(events);
    const statusOf = async (as: string, method: string, path: string) =>
      (await events.call(method, `/v1/${name}${path}`, { as })).status;
    for (const as of ['bob', 'alice-elsewhere', 'robot']) {
      expect(await statusOf(as, 'GET', '/deliveries')).toBe(404);
      expect(await statusOf(as, 'GET', ':listen')).toBe(404);
      expect(await statusOf(as, 'POST', ':replay')).toBe(404);
    }
    expect(await statusOf('alice', 'GET', '/deliveries')).toBe(200);
    expect(await statusOf('alice', 'POST', ':replay')).toBe(200);
  });

  test('get events only from publishers with events.publish [E14.1]', async () => {
    const events = await open();
    const refused = await publish(events, 'e1', 'alice');
    expect([refused.status, refused.body.error.status]).toEqual([403, 'PERMISSION_DENIED']);
    const { status, body } = await publish(events, 'e1');
    expect([status, body]).toEqual([202, { accepted: 1, duplicates: 0 }]);
  });

  test('are suspended only for their own failures [E12.6]', async () => {
    const events = await open();
    const [gone, healthy] = [
      await startWebhookReceiver(() => ({ status: 410 })),
      await startWebhookReceiver(),
    ];
    const broken = await create(events, toWebhook(gone.url), { as: 'alice' });
    const sound = await create(events, toWebhook(healthy.url), { as: 'bob' });
    await publish(events, 'e1');
    events.start();
    await eventually(async () => {
      expect((await events.call('GET', `/v1/${broken.name}`)).body.state).toBe('SUSPENDED');
      expect(await events.deliveries(sound.name, 'bob')).toMatchObject([{ state: 'DELIVERED' }]);
    });
    await publish(events, 'e2');
    await eventually(async () => {
      const own = await events.deliveries(sound.name, 'bob');
      expect(own.map(({ state }) => state)).toEqual(['DELIVERED', 'DELIVERED']);
    });
    const kept = await events.deliveries(broken.name);
    expect(kept.filter(({ eventId }) => ['e1', 'e2'].includes(eventId))).toMatchObject([
      { eventId: 'e1', state: 'UNDELIVERED' },
      { eventId: 'e2', state: 'HELD' },
    ]);
    expect((await events.call('GET', `/v1/${sound.name}`, { as: 'bob' })).body.state).toBe(
      'ACTIVE',
    );
    const asked = await events.call('GET', `/v1/${broken.name}/deliveries`, { as: 'bob' });
    expect(asked.status).toBe(404);
  });

  test('find failed deliveries in the log, and a failed renewal in its response [E12.10]', async () => {
    const events = await open();
    const receiver = await startWebhookReceiver(() => ({ status: 500 }));
    const { name } = await create(events, toWebhook(receiver.url));
    await publish(events, 'e1');
    expect(await events.deliveries(name)).toMatchObject([{ eventId: 'e1', state: 'PENDING' }]);
    events.start();
    await eventually(async () => {
      const [delivery] = await events.deliveries(name);
      expect(delivery).toMatchObject({ eventId: 'e1', state: 'RETRYING' });
      expect(delivery?.attempts[0]).toMatchObject({ status: 500 });
    });
    expect((await events.call('GET', `/v1/${name}`)).body.state).toBe('ACTIVE');

    const renew = async (body: object) =>
      (await events.call('PATCH', `/v1/${name}?updateMask=ttl`, { body })).body.error?.status;
    expect(await renew({ ttl: '604801s' })).toBe('INVALID_ARGUMENT');
    expect(await renew({ ttl: '0s', etag: '"stale"' })).toBe('ABORTED');
    await events.call('DELETE', `/v1/${name}`);
    expect(await renew({ ttl: '0s' })).toBe('NOT_FOUND');
  });
});
