import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { eventually } from '../support/eventually.ts';
import { openEventsServer } from '../support/open-test-events.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { runTradewind } from '../support/run-tradewind.ts';
import { startWorker } from '../support/start-worker.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const renamed = 'google.workspace.drive.file.v3.renamed';
const file = '//drive.googleapis.com/files/abc';

async function setUp() {
  const dataDir = createDataDir();
  const database = await openDatabase({ dataDir });
  onTestFinished(() => database.close());
  const server = await openEventsServer(database);
  for (const worker of server.events.workers) startWorker(worker);
  const environment = {
    TRADEWIND_TOKEN: 'operator',
    TRADEWIND_DATA_DIR: dataDir,
    TRADEWIND_KEYRING: 'off',
  };
  const run = (...argv: string[]) =>
    runInProcess([...argv, '--server', server.rootUrl], { environment });
  const create = async (more: object) => {
    const wanted = {
      targetResource: file,
      eventTypes: [renamed],
      notificationEndpoint: { eventStream: {} },
      ...more,
    };
    const response = await fetch(`${server.rootUrl}v1/subscriptions`, {
      method: 'POST',
      headers: { authorization: 'Bearer operator', 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
    });
    const { response: created } = (await response.json()) as { response: Record<string, string> };
    return { name: String(created.name), expireTime: String(created.expireTime) };
  };
  return { server, run, create, environment };
}

test('a sample is triggered, and its deliveries are shown with request and response', async () => {
  const { run, create } = await setUp();
  const receiver = await startWebhookReceiver(() => ({ status: 200, body: 'thank you' }));
  const { name } = await create({ notificationEndpoint: { webhook: { uri: receiver.url } } });
  expect((await run('deliveries', name)).stdout).toMatch(/^Nothing was sent yet/);
  expect((await run('trigger', renamed, '--target', file)).stdout).toMatch(
    /^Published on \/\/drive/,
  );
  const sent = await run('trigger', renamed, '--subscription', name, '--json');
  expect(JSON.parse(sent.stdout)).toMatchObject({ eventType: renamed });
  await receiver.got(2);
  await eventually(async () => {
    const { stdout } = await run('deliveries', name, '--json');
    expect(JSON.parse(stdout).attempts).toMatchObject([
      { status: 200, request: { method: 'POST' }, response: { body: 'thank you' } },
      { status: 200 },
    ]);
  });
  const { stdout } = await run('deliveries', name, '--bodies', '--limit', '1');
  expect(stdout).toContain(`> POST ${receiver.url}`);
  expect(stdout).toContain('< thank you');
  const tooMany = await run('deliveries', name, '--limit', '200');
  expect(tooMany.stderr).toContain('--limit 200 is not a whole number from 1 to 100');
  expect(tooMany.code).toBe(2);
  const own = await run('trigger', 'tradewind.swap.price.v1.moved');
  expect(own.stderr).toContain('--subscription');
  expect(own.code).not.toBe(0);
});

test('events are forwarded to a local receiver, signed with a secret that stays the same', async () => {
  const { run, create } = await setUp();
  const receiver = await startWebhookReceiver();
  const { name } = await create({});
  const listen = async () => {
    const listening = run(
      'listen',
      name,
      '--count',
      '1',
      '--json',
      '--forward-to',
      `${receiver.url}/hook`,
    );
    await run('trigger', renamed, '--target', file);
    return listening;
  };
  const first = await listen();
  const second = await listen();
  const secretIn = ({ stderr }: { stderr: string }) => /whsec_\S+/.exec(stderr)?.[0] ?? '';
  expect(secretIn(first)).toMatch(/^whsec_/);
  expect(secretIn(second)).toBe(secretIn(first));
  expect(receiver.received).toHaveLength(2);
  const [{ headers, body, path }] = receiver.received as [(typeof receiver.received)[number]];
  expect([path, JSON.parse(body).type]).toEqual(['/hook', renamed]);
  const key = Buffer.from(secretIn(first).slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = createHmac('sha256', key).update(content).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
});

test('Ctrl-C ends a command at once while its receiver does not answer [T8]', async () => {
  const { server, run, create, environment } = await setUp();
  const receiver = await startWebhookReceiver(() => new Promise(() => {}));
  const { name } = await create({});
  const args = ['listen', name, '--server', server.rootUrl, '--forward-to', receiver.url];
  const listening = runTradewind(args, environment);
  await listening.match(/Forwarding to/);
  await eventually(async () => {
    await run('trigger', renamed, '--target', file);
    expect(receiver.received.length).toBeGreaterThan(0);
  });
  listening.process.kill('SIGINT');
  expect(await listening.ended).toBe(0);
  // The command did not wait for the receiver's answer.
  expect(listening.output().stdout).not.toContain('[failed]');
});

test('subscriptions are renewed and reactivated', async () => {
  const { server, run, create } = await setUp();
  const { name, expireTime } = await create({ ttl: '3600s' });
  const renewed = JSON.parse((await run('subscriptions', 'renew', name, '--json')).stdout);
  expect(Date.parse(renewed.expireTime)).toBeGreaterThan(Date.parse(expireTime));
  await server.suspend(name);
  expect((await run('subscriptions', 'reactivate', name)).stdout).toContain(`${name} is active`);
});
