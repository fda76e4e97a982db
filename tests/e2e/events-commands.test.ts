import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { openEventsServer } from '../support/open-test-events.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startWorker } from '../support/start-worker.ts';

const renamed = 'google.workspace.drive.file.v3.renamed';
const file = '//drive.googleapis.com/files/abc';
const data = '{"file":{"name":"files/abc"}}';
const moved = 'tradewind.swap.price.v1.moved';
const pair = `//swap/chains/1/pairs/0x${'11'.repeat(20)}-0x${'22'.repeat(20)}`;

async function setUp() {
  const database = await openDatabase({ dataDir: createDataDir() });
  onTestFinished(() => database.close());
  const { events, rootUrl } = await openEventsServer(database);
  for (const worker of events.workers) startWorker(worker);
  const environment = { TRADEWIND_TOKEN: 'operator' };
  const run = (...argv: string[]) => runInProcess([...argv, '--server', rootUrl], { environment });
  /** Subscribes and keeps listening. Resolves once the subscription exists. */
  const subscribe = async (...argv: string[]) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const listening = runInProcess(['subscribe', ...argv, '--json', '--server', rootUrl], {
      environment,
      onResult: resolve,
    });
    const said = await Promise.race([promise, listening.then(({ stderr }) => stderr)]);
    return { name: JSON.parse(said).name as string, listening };
  };
  return { run, subscribe };
}

test('subscribes, publishes and listens from the command line', async () => {
  const { run, subscribe } = await setUp();
  const { listening } = await subscribe(file, renamed, '--count', '2');
  const publish = async (...more: string[]) =>
    (await run('publish', renamed, file, data, ...more)).stdout;
  expect(await publish('--id', 'one')).toBe('Published: one\n');
  expect(await publish('--id', 'one')).toBe('Already published: one\n');
  expect(await publish('--id', 'two')).toBe('Published: two\n');
  const { stdout, stderr, code } = await listening;
  expect([code, stderr]).toEqual([0, '']);
  const listed = JSON.parse((await run('subscriptions', 'list', renamed, '--json')).stdout);
  expect(listed.subscriptions).toHaveLength(1);
  const [subscription, ...events] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(subscription.targetResource).toBe(file);
  expect(events).toMatchObject([
    { id: 'one', type: renamed, subject: file, data: JSON.parse(data) },
    { id: 'two' },
  ]);

  const again = await run('subscriptions', 'replay', subscription.name, '--events', 'one');
  expect(again.stdout).toBe('Queued to be sent again: 1 event.\n');
  const never = await run('subscriptions', 'replay', subscription.name, '--events', 'three');
  expect(never.stdout).toBe(
    'Nothing was queued: no delivered event matches, or the matching events already wait for delivery.\n',
  );
  const shown = await run('subscriptions', 'show', subscription.name);
  expect(JSON.parse(shown.stdout)).toMatchObject({ name: subscription.name, state: 'ACTIVE' });
  const deleted = await run('subscriptions', 'delete', subscription.name, '--yes');
  expect(deleted.stdout).toBe(`Deleted ${subscription.name}.\n`);
  expect(await run('subscriptions', 'show', subscription.name)).toMatchObject({ code: 1 });
});

test('subscribes to events that hold the resource, narrowed to some of its fields [G10]', async () => {
  const { run, subscribe } = await setUp();
  const asked = ['--include-resource', '--field-mask', 'file.id,file.mimeType'];
  const { listening } = await subscribe(file, renamed, ...asked, '--count', '1');
  const whole = { file: { id: 'F', mimeType: 'text/plain', name: 'Plan' } };
  await run('publish', renamed, file, JSON.stringify(whole));
  const [subscription = '', event = ''] = (await listening).stdout.trim().split('\n');
  expect(JSON.parse(subscription).payloadOptions).toEqual({
    includeResource: true,
    fieldMask: 'file.id,file.mimeType',
  });
  expect(JSON.parse(event).data).toEqual({ file: { id: 'F', mimeType: 'text/plain' } });
  const other = await run('subscribe', file, renamed, '--include-resource');
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('with other types') });
  const alone = await run('subscribe', file, renamed, '--field-mask', 'file.id');
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--include-resource') });
});

test('the catalogue says what only clients may subscribe to [G5]', async () => {
  const { run } = await setUp();
  const { stdout } = await run('applications', 'list');
  expect(stdout).toMatch(/customers\/\{customer\} \(for clients .* subscriptions\.customer\)/);
  const { applications } = JSON.parse((await run('applications', 'list', '--json')).stdout);
  const targets = applications.flatMap((one: { targets: object[] }) => one.targets);
  expect(targets.filter((one: object) => 'clientScope' in one)).toMatchObject([
    {
      pattern: '//admin.googleapis.com/customers/{customer}',
      clientScope: 'subscriptions.customer',
    },
  ]);
});

test('lists all subscriptions where no type is named', async () => {
  const { run } = await setUp();
  expect((await run('subscriptions', 'list')).stdout).toContain('tradewind subscribe');
  await run('subscribe', file, renamed, '--webhook', 'http://127.0.0.1:9/hook');
  await run('applications', 'add', 'crm', '//crm/deals/{deal}', 'crm.deal.v1.won');
  await run('subscribe', '//crm/deals/17', 'crm.deal.v1.won', '--topic', 'projects/p/topics/t');
  const { stdout } = await run('subscriptions', 'list');
  expect(stdout.match(/subscriptions\//g)).toHaveLength(2);
  expect(stdout).toContain(file);
  expect(stdout).toContain('//crm/deals/17');
});

test('listens to the existing subscription if the same one exists already', async () => {
  const { run, subscribe } = await setUp();
  const { name, listening: first } = await subscribe(file, renamed, '--count', '1');
  const second = run('subscribe', file, renamed, '--since', '0', '--count', '1');
  await run('publish', renamed, file, data);
  expect(await first).toMatchObject({ code: 0 });
  const { stdout, code } = await second;
  expect(code).toBe(0);
  expect(stdout).toContain(`You are subscribed already, as ${name}, until `);
  expect(stdout).toContain('files/abc');
});

test('goes on listening after a server that was away, even before the first event', async () => {
  const stream = { 'content-type': 'text/event-stream' };
  const asked: (string | undefined)[] = [];
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(200, stream).write(': begun\n\n', () => response.destroy()),
    (response) => response.destroy(),
    (response) =>
      response
        .writeHead(503)
        .end('{"success":false,"error":{"code":"NOT_READY","message":"Still starting."}}'),
    (response) => response.writeHead(200, stream).end('id: 7\ndata: {"id":"one"}\n\n'),
    (response) => response.writeHead(200, stream).end('id: 8\ndata: {"id":"two"}\n\n'),
  ];
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id']?.toString());
    answers[asked.length - 1]?.(response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const argv = ['listen', 'some', '--count', '2', '--json', '--server', url];
  const listening = await runInProcess(argv, { environment: { TRADEWIND_TOKEN: 'operator' } });
  expect(listening).toMatchObject({ code: 0, stdout: '{"id":"one"}\n{"id":"two"}\n' });
  expect(listening.stderr).toBe('The connection was lost; trying again.\n');
  expect(asked).toEqual([undefined, undefined, undefined, undefined, '7']);
});

test('changes the secret of a webhook, and shows the new one', async () => {
  const { run } = await setUp();
  const made = await run('subscribe', file, renamed, '--webhook', 'http://127.0.0.1:9/hook');
  const [, name = '', old = ''] = /as (\S+),.*only now: (\S+)/s.exec(made.stdout) ?? [];
  const rotated = await run('subscriptions', 'rotate-secret', name);
  const [, fresh = ''] =
    /shown only now: (whsec_\S+)\n.*until \S+Z\.\n$/.exec(rotated.stdout) ?? [];
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(fresh).not.toBe('');
  expect(fresh).not.toBe(old);
  const before = Date.now();
  const again = await run('subscriptions', 'rotate-secret', name, '--overlap', '60', '--json');
  const { signingSecret, previousExpireTime } = JSON.parse(again.stdout);
  expect([old, fresh]).not.toContain(signingSecret);
  expect(Date.parse(previousExpireTime)).toBeGreaterThanOrEqual(before + 60_000);
  expect(Date.parse(previousExpireTime)).toBeLessThan(before + 3_600_000);
  const wrong = await run('subscriptions', 'rotate-secret', name, '--overlap', 'a day');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--overlap') });
});

test('refuses to change a secret that no webhook has', async () => {
  const { run } = await setUp();
  const made = await run('subscribe', file, renamed, '--topic', 'projects/p/topics/t', '--json');
  const { name } = JSON.parse(made.stdout);
  const refused = await run('subscriptions', 'rotate-secret', name);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no signing secret') });
});

test('suggests commands where another subscription holds the target', async () => {
  const { run } = await setUp();
  await run('subscribe', file, renamed, '--topic', 'projects/p/topics/t');
  const { code, stderr } = await run('subscribe', file, renamed);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /tradewind deliveries subscriptions\/\w+, or delete it first with tradewind/,
  );
});

test('adds, lists and removes applications from the command line', async () => {
  const { run } = await setUp();
  const added = await run('applications', 'add', 'crm', '//crm/deals/{deal}', 'crm.deal.v1.won');
  expect(added).toMatchObject({ code: 0, stdout: 'Added crm.\n' });
  expect((await run('applications', 'list')).stdout).toContain(
    'crm\n  //crm/deals/{deal}\n    crm.deal.v1.won\n',
  );
  expect((await run('applications', 'remove', 'crm', '--yes')).stdout).toBe('Removed crm.\n');
  const refused = await run('applications', 'remove', 'chat', '--yes');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('built in');
});

test('says what is wrong with a command', async () => {
  const { run } = await setUp();
  for (const argv of [
    ['subscribe', file],
    ['listen'],
    ['listen', file],
    ['listen', 'some', '--count', 'many'],
    ['listen', 'some', '--count', '0'],
    ['subscribe', file, renamed, '--count', 'many'],
    ['subscribe', file, renamed, '--ttl', '1h'],
    ['subscribe', pair, moved, '--threshold-bps', 'few'],
    ['subscribe', pair, moved, '--interval-seconds', '1m'],
    ['publish', renamed, file, '[]'],
    ['subscriptions', 'forget'],
    ['applications', 'change'],
  ]) {
    expect(await run(...argv), argv.join(' ')).toMatchObject({ code: 2 });
  }
  expect((await run('subscriptions', 'list')).stdout).toContain('No subscriptions');
  const unknown = await run('subscribe', file, 'no.such.type');
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown.stderr).toContain('no.such.type');
});
