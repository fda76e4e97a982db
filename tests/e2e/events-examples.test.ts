import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { openEventsServer } from '../support/open-test-events.ts';
import { startWorker } from '../support/start-worker.ts';

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const type = 'google.workspace.drive.file.v3.renamed';
const subject = '//drive.googleapis.com/files/abc';

const receivers = [
  ['TypeScript', process.execPath, 'examples/webhook-receiver.ts'],
  ['Python', 'python3', 'examples/webhook_receiver.py'],
] as const;

test.each(receivers)(
  'the receiver in %s gets what the publisher publishes, and takes nothing unsigned',
  async (_, program, file) => {
    const database = await openDatabase({ dataDir: createDataDir() });
    onTestFinished(() => database.close());
    const { events, rootUrl } = await openEventsServer(database);
    for (const worker of events.workers) startWorker(worker);
    const receiver = start(program, [file], { WEBHOOK_SECRET: secret, PORT: '0' });
    const port = /"port":\s*(\d+)/.exec(await receiver.nextLine())?.[1];
    const uri = `http://127.0.0.1:${port}/hook`;

    const unsigned = await fetch(uri, { method: 'POST', body: '{}', headers: { 'ce-id': 'x' } });
    expect(unsigned.status).toBe(401);
    const handshake = await fetch(uri, {
      method: 'OPTIONS',
      headers: { 'WebHook-Request-Origin': 'events.test' },
    });
    expect(handshake.headers.get('webhook-allowed-origin')).toBe('events.test');

    const created = await fetch(`${rootUrl}v1/subscriptions`, {
      method: 'POST',
      headers: { authorization: 'Bearer operator' },
      body: JSON.stringify({
        targetResource: subject,
        eventTypes: [type],
        notificationEndpoint: { webhook: { uri, signingSecret: secret } },
      }),
    });
    expect(await created.json()).toMatchObject({ done: true });
    const publisher = start(process.execPath, ['examples/publisher.ts', rootUrl, type, subject], {
      TRADEWIND_TOKEN: 'operator',
    });
    expect(await publisher.nextLine()).toContain('202');
    expect(await receiver.nextLine()).toBe(`${type} ${subject} {"resource":{"name":"files/abc"}}`);
  },
);

test.each(receivers)(
  'the receiver in %s rejects every event before it has a secret',
  async (_, program, file) => {
    const receiver = start(program, [file], { PORT: '0' });
    const port = /"port":\s*(\d+)/.exec(await receiver.nextLine())?.[1];
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', '').update(`one.${timestamp}.{}`).digest('base64');
    const { status } = await fetch(`http://127.0.0.1:${port}/hook`, {
      method: 'POST',
      body: '{}',
      headers: {
        'ce-id': 'one',
        'webhook-id': 'one',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
    });
    expect(status).toBe(401);
  },
);

/** A program that ends with the test, and what it prints. */
function start(program: string, argv: readonly string[], environment: Record<string, string>) {
  const child = spawn(program, argv, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { nextLine: async () => String((await lines.next()).value) };
}
