import { createServer, type RequestListener } from 'node:http';
import { systemClock } from '../../src/kernel/clock.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { openDelivery } from '../../tests/support/open-delivery.ts';
import { type LatencyOutcome, quantile } from './contender.ts';

// From publish to receipt at one healthy endpoint, an event every ten milliseconds, while as many others
// as asked get one as often in turn. They are healthy too, or they fail: half refuse the connection, half
// take the post and never answer. The receiver is in this process, so that one clock measures both ends.
type Shape = { store: string; events: number; beside: number; areFailing: boolean };
const { store, events, beside, areFailing }: Shape = JSON.parse(process.argv[2] ?? '{}');
const between = 10;
/** Those that come first pay for compiling and connecting. */
const warmUp = 100;

const sentAt = new Map<string, number>();
const latencies: number[] = [];
const healthy = await listen((request, response) => {
  const sent = sentAt.get(String(request.headers['ce-id']));
  if (sent !== undefined) latencies.push(performance.now() - sent);
  request.resume();
  response.writeHead(204).end();
});
const silent = await listen((request) => request.resume());

const isPostgres = store.startsWith('postgres:');
const database = await openDatabase(isPostgres ? { dataDir: '', url: store } : { dataDir: store });
// As the product waits by default: from a second to an hour.
const settings = { retryFirst: 1_000, retryMax: 3_600_000, retryWindow: 86_400_000 };
const delivery = await openDelivery(database, {
  settings: { ...settings, eventRetention: 3_600_000 },
});
const others: string[] = [];
for (let n = 0; n < beside; n++) {
  // Each an origin of its own.
  const host = `127.0.${1 + (n % 2)}.${1 + (n >> 1)}`;
  const failing = n % 2 === 0 ? 1 : silent;
  others.push(await subscribe(`http://${host}:${areFailing ? failing : healthy}/`));
}
const target = await subscribe(`http://127.0.0.1:${healthy}/`);
const stop = new AbortController();
const running = delivery
  .createWorkers({ suspend: delivery.suspend })
  .map((worker) => worker.run(stop.signal));
const cpu = process.cpuUsage();
for (let n = 0; n < warmUp + events; n++) {
  if (n === warmUp) latencies.length = 0;
  sentAt.set(`event-${n}`, performance.now());
  const other = others[n % Math.max(others.length, 1)];
  await delivery.publisher.publish([
    eventFor(target, `event-${n}`),
    ...(other === undefined ? [] : [eventFor(other, `other-${n}`)]),
  ]);
  await systemClock.sleep(between);
}
while (latencies.length < events) await systemClock.sleep(between);
const { user, system } = process.cpuUsage(cpu);
stop.abort();
await Promise.all(running);

const outcome: LatencyOutcome = {
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  cpuMsPerEvent: (user + system) / 1_000 / (warmUp + events),
  rssMb: process.memoryUsage.rss() / 1024 / 1024,
};
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exit(0);

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

function listen(handle: RequestListener): Promise<number> {
  const server = createServer(handle);
  return new Promise((resolve) => {
    server.listen(0, '0.0.0.0', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
    });
  });
}
