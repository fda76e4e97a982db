import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { deliveryDefaults } from '../support/open-delivery.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { shopOrder } from '../support/shop-order.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const [{ createStore }] = migratedEngines;

/** Delivery on a fake clock, with the least possible jitter. */
async function open() {
  const clock = createFakeClock();
  const metrics = createMetrics();
  const delivery = await openTestDelivery(await (await createStore()).open(), {
    clock,
    metrics,
    random: { ...systemRandom, fraction: () => 0 },
    settings: { ...deliveryDefaults.settings, retryFirst: 1_000, retryMax: 10_000 },
  });
  const counted = (outcome: string, times: number) =>
    eventually(async () =>
      expect((await metrics.expose()).body).toContain(`{outcome="${outcome}"} ${times}\n`),
    );
  return {
    subscribeTo: async (uri: string) => {
      const notificationEndpoint = { kind: 'webhook', uri, contentMode: 'BINARY' } as const;
      return (await delivery.subscribe({ notificationEndpoint })).subscription.targetResource;
    },
    publishTo: (target: string, id = target) => delivery.publisher.publish([shopOrder(id, target)]),
    start: () => {
      const workers = delivery.createWorkers({ suspend: delivery.suspend }).map(startWorker);
      // After the test the clock advances by itself, since a worker may sleep while it stops.
      onTestFinished(() => {
        const passing = setInterval(() => clock.advance(100), 1);
        void Promise.all(workers.map(({ stop }) => stop())).then(() => clearInterval(passing));
      });
      return workers;
    },
    hasFailed: (times: number) => counted('failed', times),
    isAccepted: (times: number) => counted('accepted', times),
    /** Advances in small steps, so that each sleep ends about when it is due. */
    goOnTo: async (milliseconds: number) => {
      while (clock.elapsed() < milliseconds) {
        clock.advance(5);
        for (let turns = 0; turns < 20; turns++) await new Promise((done) => setImmediate(done));
      }
    },
    /** Advances so slowly that receivers can answer in between. Returns the elapsed time. */
    goOnUntil: async (isDone: () => boolean) => {
      while (!isDone() && clock.elapsed() < 60_000) {
        clock.advance(5);
        await systemClock.sleep(20);
      }
      return clock.elapsed();
    },
  };
}

test('a retry runs at the end of the tenth of a second in which it falls due, whatever happens meanwhile [E12.4, E14.28]', async () => {
  const { subscribeTo, publishTo, start, hasFailed, goOnTo } = await open();
  const failing = await startWebhookReceiver(() => ({ status: 500 }));
  const healthy = await startWebhookReceiver();
  const targets = [await subscribeTo(failing.url), await subscribeTo(failing.url)];
  const other = await subscribeTo(healthy.url);
  start();
  await publishTo(targets[0] ?? '');
  await hasFailed(1);
  await goOnTo(30);
  await publishTo(targets[1] ?? '');
  await hasFailed(2);
  // Due at 500 and 530 milliseconds.
  await goOnTo(495);
  expect(failing.received).toHaveLength(2);
  await goOnTo(500);
  await failing.got(3);
  await goOnTo(560);
  await publishTo(other);
  await healthy.got(1);
  await goOnTo(595);
  expect(failing.received).toHaveLength(3);
  await goOnTo(600);
  await failing.got(4);
  expect(failing.received.map(({ headers }) => headers['ce-id'])).toEqual([...targets, ...targets]);
});

test('a process that starts finds retries that fall due later, in time [E14.28]', async () => {
  const { subscribeTo, publishTo, start, hasFailed, goOnTo } = await open();
  const failing = await startWebhookReceiver(() => ({ status: 500 }));
  const target = await subscribeTo(failing.url);
  const workers = start();
  await publishTo(target);
  await hasFailed(1);
  await goOnTo(200);
  for (const { stop } of workers) await stop();
  start();
  await goOnTo(495);
  expect(failing.received).toHaveLength(1);
  await goOnTo(600);
  await failing.got(2);
});

test('more endpoints than are tried at once, when they are back, are all served without a pause [E12.4]', async () => {
  const { subscribeTo, publishTo, start, hasFailed, goOnTo, goOnUntil } = await open();
  let isBack = false;
  const receiver = await startWebhookReceiver(() => ({ status: isBack ? 204 : 500 }));
  const targets = await Promise.all(Array.from({ length: 200 }, () => subscribeTo(receiver.url)));
  for (const target of targets) await publishTo(target);
  start();
  await hasFailed(200);
  isBack = true;
  await goOnTo(495);
  // Sooner than the periodic poll that makes up for a lost notification.
  expect(await goOnUntil(() => receiver.received.length === 400)).toBeLessThan(5_000);
});

test('a process that stops starts no retry that is still queued', async () => {
  const { subscribeTo, publishTo, start, hasFailed, goOnTo, goOnUntil } = await open();
  const failing = await startWebhookReceiver(() => ({ status: 500 }));
  const targets = await Promise.all(Array.from({ length: 20 }, () => subscribeTo(failing.url)));
  for (const target of targets) await publishTo(target);
  const workers = start();
  await hasFailed(20);
  // All lanes are due, and the first is tried.
  await goOnTo(500);
  await failing.got(21);
  let isOver = false;
  void Promise.all(workers.map(({ stop }) => stop())).then(() => {
    isOver = true;
  });
  await goOnUntil(() => isOver);
  expect(failing.received).toHaveLength(21);
});

test('a failed event is retried from a separate thread until it is accepted [E12.4]', async () => {
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const { subscribeTo, publishTo, start, hasFailed, isAccepted, goOnTo } = await open();
  const receiver = await startWebhookReceiver((_, index) => ({ status: index === 0 ? 500 : 204 }));
  const target = await subscribeTo(receiver.url);
  start();
  await publishTo(target);
  await hasFailed(1);
  expect(threads).toHaveLength(0);
  await goOnTo(500);
  await isAccepted(1);
  expect(threads).toHaveLength(1);
  // A further call from the thread would have to start another thread.
  await threads[0]?.terminate();
  await publishTo(target, 'the next');
  await isAccepted(2);
  expect(threads).toHaveLength(1);
});
