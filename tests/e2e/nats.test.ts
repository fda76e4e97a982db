import { connect } from '@nats-io/transport-node';
import { expect, inject, onTestFinished } from 'vitest';
import { openJetstream } from '../../src/kernel/work/jetstream.ts';
import { connectNats } from '../../src/kernel/work/nats.ts';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { makeTemporaryDirectory, runTradewind, serve } from '../support/run-tradewind.ts';
import { startNats } from '../support/start-nats.ts';
import { testsWith } from '../support/tests-with.ts';

const { describe, it } = testsWith('nats');

async function askHealth(url: string): Promise<unknown> {
  const response = await fetch(`${url}/health`);
  return { status: response.status, body: await response.json() };
}

describe('tradewind serve with NATS', () => {
  it('carries changes from one process to another over JetStream [H57]', async () => {
    const nats = await startNats();
    const environment = {
      TRADEWIND_DATABASE_URL: await createPostgresDatabase(inject('postgresUrl')),
      TRADEWIND_SECRET_KEY: 'the same for both of them',
      TRADEWIND_NATS_URL: nats.url,
    };
    const servers = ['events', 'authorization'].map((service) =>
      serve({ environment: { ...environment, TRADEWIND_SERVICES: service } }),
    );
    const [, authorization] = await Promise.all(servers);
    const observer = await connect({ servers: nats.url });
    onTestFinished(() => observer.close());
    const subscription = observer.subscribe('*.events_2e_authorization', { max: 1 });
    await observer.flush();

    const registered = await fetch(`${authorization!.url}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['http://127.0.0.1/callback'] }),
    });
    expect(registered.status).toBe(201);
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    for await (const message of subscription) {
      expect(message.json()).toMatchObject({
        topic: 'authorization.client-registered',
        payload: { clientId },
      });
    }
    await expect.poll(() => keptIn(nats.url)).toBe(0);
  });

  it('stays ready while NATS is away, and names it [H11, H57]', async () => {
    const nats = await startNats();
    const { url } = await serve({ environment: { TRADEWIND_NATS_URL: nats.url } });
    expect(await askHealth(url)).toMatchObject({ status: 200, body: { data: { status: 'ok' } } });
    await nats.stop();
    await expect
      .poll(() => askHealth(url))
      .toMatchObject({ status: 200, body: { data: { nats: 'does not answer, events wait' } } });
  });

  it('does not start without the NATS server it is told to use, and says how to mend it [H57]', async () => {
    const run = runTradewind(['serve', '--port', '0', '--devchain', 'off'], {
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
      TRADEWIND_NATS_URL: 'nats://user:hunter2@127.0.0.1:9',
    });
    expect(await run.ended).toBe(1);
    const { stderr } = run.output();
    expect(stderr).toMatch(/NATS at 127\.0\.0\.1:9 does not answer .* TRADEWIND_NATS_URL/);
    expect(stderr).not.toContain('hunter2');
  });
});

/** How many events the streams of a NATS server hold. */
async function keptIn(url: string): Promise<number> {
  const nats = await connectNats(url);
  const manager = await openJetstream(nats);
  let messages = 0;
  for await (const { state } of manager.streams.list()) messages += state.messages;
  await nats.connection.close();
  return messages;
}
