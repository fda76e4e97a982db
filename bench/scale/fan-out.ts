/**
 * One event for many subscribers (T12): how long its publisher waits for the answer, and how long it takes until all
 * subscribers have it, on PostgreSQL, with one process that publishes and delivers.
 *
 * Run: node bench/scale/fan-out.ts. BENCH_SUBSCRIBERS=10000 BENCH_EVENTS=5 set the amounts.
 */
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createPostgresDatabase } from '../../tests/support/create-postgres-database.ts';
import { openDelivery } from '../../tests/support/open-delivery.ts';
import { startPostgres } from '../../tests/support/start-postgres.ts';
import { openSink } from './loads.ts';

const subscribers = Number(process.env.BENCH_SUBSCRIBERS ?? 10_000);
const events = Number(process.env.BENCH_EVENTS ?? 5);
const target = '//shop/orders/popular';
/** Events without a subscriber that are published first, so that the code of publishing is compiled. */
const warmUp = 300;

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
  // Each for another client, because a client has at most one subscription for a target.
  await inParallel(subscribers, (n) =>
    delivery.subscribe({ principal: `client-${n}`, targetResource: target, notificationEndpoint }),
  );
  const running = delivery
    .createWorkers({ suspend: delivery.suspend })
    .map((worker) => worker.run(stop.signal));
  const forNobody: number[] = [];
  for (let n = 0; n < warmUp; n++) {
    const start = performance.now();
    await publish(`w${n}`, '//shop/orders/unknown');
    forNobody.push(performance.now() - start);
  }
  const rows = [];
  for (let n = 0; n < events; n++) rows.push(await publishOne(n));
  console.table(rows);
  const median = forNobody.toSorted((a, b) => a - b)[warmUp / 2] ?? 0;
  console.log(`An event for nobody was answered in ${round(median)} ms, the median of ${warmUp}`);
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
  while ((await countTaken()) > 0) await delay(200);
  const awaited = sink.received() + subscribers;
  const [start, used] = [performance.now(), process.cpuUsage()];
  await publish(`e${n}`, target);
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

/** The number of lanes that a worker owns. It keeps a lane for a while after the deliveries, until its progress is stored. */
async function countTaken(): Promise<number> {
  const taken = sql`SELECT COUNT(*) AS lanes FROM events_lanes WHERE owner IS NOT NULL`;
  return (await database.first<{ lanes: number }>(taken))?.lanes ?? 0;
}

async function publish(id: string, subject: string): Promise<void> {
  const data = { order: { name: subject.slice(2) } };
  const event = { id, source: '//shop', type: 'shop.order.v1.created', subject, data };
  await delivery.publisher.publish([{ ...event, occurredAt: Date.UTC(2026, 0, 1) }]);
}

async function inParallel(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const hand = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, hand));
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
