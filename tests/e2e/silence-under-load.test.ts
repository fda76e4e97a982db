import { expect, inject } from 'vitest';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { issueToken } from '../support/issue-token.ts';
import { openPostgresProxy } from '../support/open-postgres-proxy.ts';
import { serve } from '../support/run-tradewind.ts';
import { startNats } from '../support/start-nats.ts';
import { testsWith } from '../support/tests-with.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const { test } = testsWith('nats');

const subject = '//chat.googleapis.com/spaces/A';
const type = 'google.workspace.chat.message.v1.created';
const publishers = 8;

test('the server recovers within 15 s when PostgreSQL and NATS fall silent under load, and loses nothing acknowledged [N9]', async () => {
  const database = await openPostgresProxy(await createPostgresDatabase(inject('postgresUrl')));
  const nats = await openPostgresProxy((await startNats()).url);
  const server = await serve({
    environment: {
      TRADEWIND_DATABASE_URL: database.url,
      TRADEWIND_SECRET_KEY: 'a key of this test',
      TRADEWIND_NATS_URL: nats.url,
    },
  });
  const receiver = await startWebhookReceiver(({ method }) =>
    method === 'OPTIONS'
      ? { status: 200, headers: { 'webhook-allowed-origin': '*' } }
      : { status: 204 },
  );
  const scope = 'subscriptions.read subscriptions.write events.publish';
  const authorization = `Bearer ${await issueToken(server.url, scope)}`;
  const post = (path: string, body: unknown, contentType = 'application/json') =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': contentType },
      body: JSON.stringify(body),
    });
  const subscribed = await post('/v1/subscriptions', {
    targetResource: subject,
    eventTypes: [type],
    notificationEndpoint: { webhook: { uri: `${receiver.url}/hook` } },
  });
  expect(subscribed.status).toBe(200);

  const acknowledged: { readonly id: string; readonly at: number }[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const publishOn = async (publisher: number): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const event = {
        specversion: '1.0',
        id: `${publisher}-${n}`,
        source: subject,
        type,
        subject,
      };
      const data = { message: { name: 'spaces/A/messages/1' } };
      const sent = await post('/v1/events', { ...event, data }, 'application/cloudevents+json');
      statuses.add(sent.status);
      if (sent.status === 202) acknowledged.push({ id: event.id, at: systemClock.elapsed() });
      await sent.arrayBuffer();
    }
  };
  const load = Array.from({ length: publishers }, (_, publisher) => publishOn(publisher));
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100);

  database.freezeOpen();
  nats.freezeOpen();
  const silentSince = systemClock.elapsed();
  const before = acknowledged.length;
  // Far more than could have been in flight when the connections went silent.
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20 * publishers);
  await expect.poll(async () => (await fetch(`${server.url}/health`)).status).toBe(200);
  isOver = true;
  await Promise.all(load);

  const gaps = acknowledged.map(({ at }, index) => at - (acknowledged[index - 1]?.at ?? at));
  const longestStall = Math.max(...gaps);
  expect(longestStall).toBeLessThan(15_000);
  expect(acknowledged.at(-1)?.at).toBeGreaterThan(silentSince);
  expect([...statuses].filter((status) => status !== 202 && status !== 503)).toEqual([]);
  const receivedIds = () => new Set(receiver.received.map(({ headers }) => headers['ce-id']));
  const lost = () => {
    const received = receivedIds();
    return acknowledged.filter(({ id }) => !received.has(id)).length;
  };
  await expect.poll(lost).toBe(0);
});
