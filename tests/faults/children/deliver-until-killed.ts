import { writeSync } from 'node:fs';
import { openDatabase } from '../../../src/kernel/database/open-database.ts';
import { sql } from '../../../src/kernel/database/sql.ts';
import { systemClock } from '../../../src/kernel/wait/clock.ts';
import { openDelivery } from '../../support/open-delivery.ts';
import { shopOrder } from '../../support/shop-order.ts';

/**
 * Publishes to every subscription and prints the acknowledged events. At the same time it delivers what
 * this and earlier runs have published. It runs until it is killed.
 *
 * Arguments: the options of the database as JSON; how many milliseconds the clock is ahead, so that the
 * leases of runs killed before have expired; a name for the run; `publish`, or `finish` to deliver what
 * is left and then end; and how many rounds are published at most.
 */
const [options = '', ahead = '0', run = '', mode = 'publish', most = 'Infinity'] =
  process.argv.slice(2);
const clock = { ...systemClock, now: () => Date.now() + Number(ahead) };
const database = await openDatabase(JSON.parse(options));
const delivery = await openDelivery(database, { clock });
const stop = new AbortController();
const workers = delivery.createWorkers({ suspend: delivery.suspend });
const running = workers.map((worker) => worker.run(stop.signal));

if (mode === 'publish') {
  const rows = await database.all<{ id: string; target_resource: string }>(
    sql`SELECT id, target_resource FROM events_subscriptions ORDER BY id`,
  );
  for (let n = 0; n < Number(most); n++) {
    const events = rows.map(({ id, target_resource }) =>
      shopOrder(`${id}/${run}/${n}`, target_resource),
    );
    await delivery.publisher.publish(events);
    // Not through a stream, which would buffer it in memory.
    for (const { id } of events) writeSync(1, `${id}\n`);
  }
  await Promise.all(running);
}
while (await isWaiting()) await systemClock.sleep(20);
stop.abort();
await Promise.all(running);
process.exit(0);

async function isWaiting(): Promise<boolean> {
  const row = await database.first(
    sql`SELECT 1 FROM events_lanes WHERE last_number > cursor LIMIT 1`,
  );
  return row !== undefined;
}
