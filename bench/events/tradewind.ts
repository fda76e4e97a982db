import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { openDelivery } from '../../tests/support/open-delivery.ts';
import { readTask, tellOutcome } from './contender.ts';

// Our own delivery, from the queue in the store to the sink, signed and durable.
const task = readTask();
const isPostgres = task.store.startsWith('postgres:');
const database = await openDatabase(
  isPostgres ? { dataDir: '', url: task.store } : { dataDir: task.store },
);
const delivery = await openDelivery(database);
const targets: string[] = [];
for (let n = 0; n < task.subscriptions; n++) {
  const { subscription } = await delivery.subscribe({
    notificationEndpoint: { kind: 'webhook', uri: `${task.sink}/hook`, contentMode: task.mode },
  });
  targets.push(subscription.targetResource);
}

const startedAt = performance.now();
for (let from = 0; from < task.deliveries; from += 500) {
  await delivery.publisher.publish(
    Array.from({ length: Math.min(500, task.deliveries - from) }, (_, n) => ({
      id: `event-${from + n}`,
      source: '//shop',
      type: 'shop.order.v1.created',
      subject: targets[(from + n) % targets.length] ?? '',
      occurredAt: Date.UTC(2026, 0, 1),
      data: { order: { name: `orders/${from + n}`, note: 'x'.repeat(120) } },
    })),
  );
}
const enqueuedPerSecond = task.deliveries / ((performance.now() - startedAt) / 1_000);
const stop = new AbortController();
await tellOutcome(task, {
  enqueuedPerSecond,
  async deliver() {
    const workers = delivery.createWorkers({ suspend: delivery.suspend });
    const running = workers.map((worker) => worker.run(stop.signal));
    // Until the progress of all deliveries is stored: sending them is not enough.
    while ((await countWaiting()) > 0) await systemClock.sleep(20);
    stop.abort();
    await Promise.all(running);
  },
});
process.exit(0);

async function countWaiting(): Promise<number> {
  const row = await database.first<{ waiting: number }>(
    sql`SELECT SUM(last_number - cursor) AS waiting FROM events_lanes`,
  );
  return row?.waiting ?? 0;
}
