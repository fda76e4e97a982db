import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { startWorker } from '../support/start-worker.ts';
import { testRounds } from '../support/test-rounds.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('a PostgreSQL that crashes beneath a living process loses no acknowledged event and no order [E10.12, E10.13, E10.14]', {
  timeout: 300_000 + testRounds * 20_000,
}, async ({ annotate }) => {
  const server = await startPostgres({ isDurable: true });
  onTestFinished(server.stop);
  const database = await openDatabase({ dataDir: '', url: server.url });
  onTestFinished(() => database.close());
  // Each crash loses the latest claims and progress, since only a publication flushes them.
  await database.run(sql`ALTER SYSTEM SET wal_writer_delay = '10s'`);
  await database.first(sql`SELECT pg_reload_conf()`);
  const logger = createLogger({ level: 'error', format: 'json', write: () => {} });
  const delivery = await openTestDelivery(database, { logger });
  for (const worker of delivery.createWorkers({ suspend: delivery.suspend })) startWorker(worker);
  const receiver = await startWebhookReceiver();
  const { subscription } = await delivery.subscribe({
    notificationEndpoint: { kind: 'webhook', uri: receiver.url, contentMode: 'BINARY' },
  });

  const isIdle = async () => {
    const lane = await database.first(
      sql`SELECT last_number - cursor AS waiting, owner FROM events_lanes`,
    );
    expect(lane).toEqual({ waiting: 0, owner: null });
  };

  const fraction = createSeededFractions(6);
  const published: string[] = [];
  for (let round = 0; round < testRounds; round++) {
    const events = Math.ceil(fraction() * 30);
    for (let n = 0; n < events; n++) {
      const event = shopOrder(`${round}/${n}`, subscription.targetResource);
      await eventually(async () => void (await delivery.publisher.publish([event])));
      published.push(event.id);
    }
    // In one round the crash hits lanes at work, in the next it hits lanes that were just released.
    if (round % 2 === 1) await eventually(isIdle);
    await server.kill();
    await server.restart();
  }
  await eventually(isIdle);
  const received = receiver.received.map(({ headers }) => String(headers['ce-id']));
  expect([...new Set(received)]).toEqual(published);
  const repeated = received.length - published.length;
  await annotate(`${testRounds} crashes, ${published.length} acknowledged, ${repeated} repeated`);
});
