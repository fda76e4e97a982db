import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { systemClock } from '../../src/kernel/time/clock.ts';
import { openDelivery } from '../../tests/support/open-delivery.ts';
import { type LatencyOutcome, quantile } from './contender.ts';
import type { Receipt } from './receivers.ts';

// From publish to receipt at one healthy endpoint, an event every ten milliseconds. With each comes one for
// another subscription, of 200 in turn, which is there or not: so what is published is always the same. The
// others are healthy too, or they fail: half refuse the connection, half take the post and never answer.
// Those that answer and those that do not are processes of their own; the clock that all read is the machine's.
type Shape = {
  store: string;
  /** How many come first: they pay for compiling and connecting, and those that fail have failed for as long. */
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
// As the product waits by default: from a second to an hour.
const settings = { retryFirst: 1_000, retryMax: 3_600_000, retryWindow: 86_400_000 };
const delivery = await openDelivery(database, {
  settings: { ...settings, eventRetention: 3_600_000, eventVisibility: 'shared' },
});
const subjects: string[] = [];
for (let n = 0; n < neighbours; n++) {
  // Each an origin of its own.
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
