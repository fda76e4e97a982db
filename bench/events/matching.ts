import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { openDelivery } from '../../tests/support/open-delivery.ts';
import { type LatencyOutcome, quantile } from './contender.ts';

// What it costs to find the subscription of an event among many, store the event and queue it. A publication has 50
// events, each for a subscription elsewhere in the table. The subscriptions are inserted in bulk, straight into the
// tables that publishing reads.
const { store, subscriptions }: { store: string; subscriptions: number } = JSON.parse(
  process.argv[2] ?? '{}',
);
const [publications, warmUp, together] = [100, 10, 50];
/** Few enough to stay within the statement timeout on PostgreSQL. */
const inStatement = 50_000;
/** A prime, so that no subscription comes again before all others, and consecutive ones are far apart in the table. */
const stride = 619_033;

const isPostgres = store.startsWith('postgres:');
const database = await openDatabase(isPostgres ? { dataDir: '', url: store } : { dataDir: store });
const delivery = await openDelivery(database);
for (let first = 0; first < subscriptions; first += inStatement) {
  const end = Math.min(first + inStatement, subscriptions);
  const numbers = sql`WITH RECURSIVE numbers (n) AS (
    SELECT CAST(${first} AS BIGINT)
    UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < CAST(${end} AS BIGINT))`;
  await database.run(sql`
    INSERT INTO events_lanes (subscription_id, uid, principal, endpoint, is_pushed, is_narrow, state)
    ${numbers} SELECT 's-' || n, 'uid-' || n, 'client', '{"kind":"eventStream"}', 0, 0, 'ACTIVE'
    FROM numbers`);
  await database.run(sql`
    INSERT INTO events_matches (event_type, target, subscription_id)
    ${numbers} SELECT 'shop.order.v1.created', '//shop/orders/' || n, 's-' || n FROM numbers`);
}
// Autovacuum would do this after a while.
await database.run(sql`ANALYZE`);

const durations: number[] = [];
let cpu = process.cpuUsage();
for (let publication = 0; publication < warmUp + publications; publication++) {
  if (publication === warmUp) cpu = process.cpuUsage();
  const startedAt = performance.now();
  await delivery.publisher.publish(
    Array.from({ length: together }, (_, index) => {
      const n = publication * together + index;
      return {
        id: `event-${n}`,
        source: '//shop',
        type: 'shop.order.v1.created',
        subject: `//shop/orders/${(n * stride) % subscriptions}`,
        occurredAt: Date.UTC(2026, 0, 1),
        data: { order: { name: `orders/${n}`, note: 'x'.repeat(120) } },
      };
    }),
  );
  if (publication >= warmUp) durations.push(performance.now() - startedAt);
}
const { user, system } = process.cpuUsage(cpu);
const queued = await database.first<{ count: number }>(
  sql`SELECT COUNT(*) AS count FROM events_deliveries`,
);
if (queued?.count !== (warmUp + publications) * together) {
  throw new Error(`${queued?.count} of ${(warmUp + publications) * together} events were queued.`);
}
const outcome: LatencyOutcome = {
  p50: quantile(durations, 0.5),
  p90: quantile(durations, 0.9),
  p99: quantile(durations, 0.99),
  cpuMsPerEvent: (user + system) / 1_000 / (publications * together),
  rssMb: process.memoryUsage.rss() / 1024 / 1024,
};
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exit(0);
