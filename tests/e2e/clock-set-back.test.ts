import { expect, test } from 'vitest';
import { issueToken } from '../support/issue-token.ts';
import { type ServerUnderTest, serve } from '../support/run-tradewind.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Loaded into the server: sets its clock back by an hour, either at once or at a signal. */
const settable = (isBack: boolean) => {
  const script = `
    const read = Date.now;
    let back = ${isBack ? 3_600_000 : 0};
    Date.now = () => read() - back;
    process.on('SIGUSR2', () => { back = 3_600_000; console.error('clock set back'); });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
};

async function setBack(server: ServerUnderTest): Promise<void> {
  server.process.kill('SIGUSR2');
  await server.match(/clock set back/);
}

test('after the clock was set back by an hour retries go on and tokens are issued, after a restart too [D6]', async () => {
  const failing = Promise.withResolvers<void>();
  const receiver = await startWebhookReceiver(async ({ method }) => {
    if (method === 'OPTIONS') return { status: 200, headers: { 'webhook-allowed-origin': '*' } };
    const isFirst = receiver.received.filter((one) => one.method === 'POST').length === 1;
    if (!isFirst) return { status: 204 };
    failing.resolve();
    return { status: 500 };
  });
  const server = await serve({
    environment: { ...settable(false), TRADEWIND_RETRY_FIRST: '2s' },
  });
  const ask = async (path: string, body: unknown) => {
    const scope = 'subscriptions.read subscriptions.write events.publish';
    const authorization = `Bearer ${await issueToken(server.url, scope)}`;
    const headers = { authorization, 'content-type': 'application/cloudevents+json' };
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: path === '/v1/events' ? headers : { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect({ path, status: response.status, body: await response.json() }).toMatchObject({
      status: path === '/v1/events' ? 202 : 200,
    });
  };
  const subject = '//chat.googleapis.com/spaces/A';
  const type = 'google.workspace.chat.message.v1.created';
  await ask('/v1/subscriptions', {
    targetResource: subject,
    eventTypes: [type],
    notificationEndpoint: { webhook: { uri: `${receiver.url}/hook` } },
  });
  await ask('/v1/events', {
    specversion: '1.0',
    id: '1',
    source: subject,
    type,
    subject,
    data: { message: { name: 'spaces/A/messages/1' } },
  });
  await failing.promise;
  await setBack(server);
  expect(await issueToken(server.url, 'events.publish')).toEqual(expect.any(String));
  const posts = () => receiver.received.filter(({ method }) => method === 'POST').length;
  await expect.poll(posts).toBe(2);

  server.process.kill('SIGKILL');
  await server.ended;
  const again = await serve({ environment: settable(true), dataDir: server.dataDir });
  expect(await issueToken(again.url, 'events.publish')).toEqual(expect.any(String));
});
