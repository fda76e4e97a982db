import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { openDelivery } from '../../tests/support/open-delivery.ts';
import { type LatencyOutcome, quantile } from './contender.ts';
import type { Receipt } from './receivers.ts';

// Measures the time from publish to receipt at one healthy endpoint, with an event every ten milliseconds. Each
// publication has a second event, for 200 other subscriptions in turn. It is published even if these do not exist,
// so that every case publishes the same. The other endpoints are healthy, or they fail: half refuse the connection,
// half accept the post and never answer. Receivers and silent endpoints run in their own processes; all read the
// machine's monotonic clock.
type Shape = {
  store: string;
  /** Events before the measured ones. They pay for compiling and connecting, and failing endpoints fail meanwhile. */
  before: number;
  events: number;
  others: 'none' | 'healthy' | 'failing';
};
const { store, before, events, others }: Shape = JSON.parse(process.argv[2] ?? '{}');
const neighbours = 200;
const between = 10;

const [receivers, healthy] = await start('receivers.ts');
const [silence, silent] = await start('silence.ts');
const sentAt = new Map<string, number>();
const latencies: number[] = [];

const isPostgres = store.startsWith('postgres:');
const database = await openDatabase(isPostgres ? { dataDir: '', url: store } : { dataDir: store });
// The product's default backoff: from a second to an hour.
const settings = { retryFirst: 1_000, retryMax: 3_600_000, retryWindow: 86_400_000 };
const delivery = await openDelivery(database, {
  settings: { ...settings, eventRetention: 3_600_000, eventVisibility: 'shared' },
});
const subjects: string[] = [];
for (let n = 0; n < neighbours; n++) {
  // Each neighbour is a separate origin.
  const host = `127.0.${1 + (n % 2)}.${1 + (n >> 1)}`;
  const failing = n % 2 === 0 ? 1 : silent;
  const port = others === 'failing' ? failing : healthy;
  subjects.push(
    others === 'none' ? `//shop/orders/nobody-${n}` : await subscribe(`http://${host}:${port}/`),
  );
}
const target = await subscribe(`http://127.0.0.1:${healthy}/`);
const stop = new AbortController();
const running = delivery
  .createWorkers({ suspend: delivery.suspend })
  .map((worker) => worker.run(stop.signal));
const cpu = process.cpuUsage();
for (let n = 0; n < before + events; n++) {
  if (n >= before) sentAt.set(`event-${n}`, Number(process.hrtime.bigint()) / 1e6);
  const other = subjects[n % neighbours] ?? '';
  await delivery.publisher.publish([eventFor(target, `event-${n}`), eventFor(other, `other-${n}`)]);
  await systemClock.sleep(between);
}
while (latencies.length < events) {
  await systemClock.sleep(between);
  await readReceipts();
}
const { user, system } = process.cpuUsage(cpu);
stop.abort();
await Promise.all(running);
receivers.kill();
silence.kill();

const outcome: LatencyOutcome = {
  p50: quantile(latencies, 0.5),
  p90: quantile(latencies, 0.9),
  p99: quantile(latencies, 0.99),
  cpuMsPerEvent: (user + system) / 1_000 / (before + events),
  rssMb: process.memoryUsage.rss() / 1024 / 1024,
};
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exit(0);

async function start(script: string): Promise<[ChildProcess, port: number]> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), { execArgv: [] });
  const [port] = await once(child, 'message');
  return [child, port];
}

async function subscribe(uri: string): Promise<string> {
  const { subscription } = await delivery.subscribe({
    notificationEndpoint: { kind: 'webhook', uri, contentMode: 'BINARY' },
  });
  return subscription.targetResource;
}

function eventFor(subject: string, id: string) {
  const data = { order: { name: id, note: 'x'.repeat(120) } };
  const type = 'shop.order.v1.created';
  return { id, source: '//shop', type, subject, occurredAt: Date.UTC(2026, 0, 1), data };
}

async function readReceipts(): Promise<void> {
  receivers.send('tell');
  const [receipts] = await once(receivers, 'message');
  for (const [id, at] of receipts as Receipt[]) {
    const sent = sentAt.get(id);
    if (sent !== undefined) latencies.push(at - sent);
  }
}
