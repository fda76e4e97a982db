/**
 * One event for many subscribers (T12): how long its publisher waits for the answer, and how long it takes until all of
 * them have it, on PostgreSQL, with one process that publishes and delivers.
 *
 * Run: node bench/scale/fan-out.ts. BENCH_SUBSCRIBERS=10000 BENCH_EVENTS=5 say how much.
 */
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createPostgresDatabase } from '../../tests/support/create-postgres-database.ts';
import { openDelivery } from '../../tests/support/open-delivery.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import { openSink } from './loads.ts';

const subscribers = Number(process.env.BENCH_SUBSCRIBERS ?? 10_000);
const events = Number(process.env.BENCH_EVENTS ?? 5);
const target = '//shop/orders/popular';

const postgres = await startPostgres({ isDurable: true });
const sink = await openSink();
const database = await openDatabase({
  dataDir: '',
  url: await createPostgresDatabase(postgres.url),
});
const delivery = await openDelivery(database);
const stop = new AbortController();
try {
  const notificationEndpoint = {
    kind: 'webhook',
    uri: `${sink.origin}/hook`,
    contentMode: 'STRUCTURED',
  } as const;
  await inParallel(subscribers, () =>
    delivery.subscribe({ targetResource: target, notificationEndpoint }),
  );
  const running = delivery
    .createWorkers({ suspend: delivery.suspend })
    .map((worker) => worker.run(stop.signal));
  const rows = [];
  for (let n = 0; n < events; n++) rows.push(await publishOne(n));
  console.table(rows);
  console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
  stop.abort();
  await Promise.all(running);
} finally {
  await database.close();
  sink.close();
  await postgres.stop();
}
process.exit();

async function publishOne(n: number) {
  const awaited = sink.received() + subscribers;
  const [start, used] = [performance.now(), process.cpuUsage()];
  await delivery.publisher.publish([
    {
      id: `e${n}`,
      source: '//shop',
      type: 'shop.order.v1.created',
      subject: target,
      occurredAt: Date.UTC(2026, 0, 1),
      data: { order: { name: 'orders/popular' } },
    },
  ]);
  const answered = performance.now() - start;
  const own = process.cpuUsage(used);
  while (sink.received() < awaited) await delay(20);
  const all = process.cpuUsage(used);
  return {
    event: n,
    'answered in ms': round(answered),
    'processor ms until then': round((own.user + own.system) / 1_000),
    'delivered to all after ms': Math.round(performance.now() - start),
    // The receiver runs in this process too.
    'processor ms a subscriber, with its receiver': round(
      (all.user + all.system) / 1_000 / subscribers,
    ),
  };
}

async function inParallel(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const hand = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: 8 }, hand));
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
