import { writeSync } from 'node:fs';
import { openDatabase } from '../../../src/kernel/database/open-database.ts';
import { sql } from '../../../src/kernel/database/sql.ts';
import { systemRandom } from '../../../src/kernel/model/random.ts';
import { systemClock } from '../../../src/kernel/wait/clock.ts';
import { createInProcessEventBus } from '../../../src/kernel/work/event-bus.ts';
import { openJetstream } from '../../../src/kernel/work/jetstream.ts';
import {
  eventStreamName,
  openJetstreamEventBus,
} from '../../../src/kernel/work/jetstream-event-bus.ts';
import { connectNats } from '../../../src/kernel/work/nats.ts';
import { openOutboxRelay, writeOutbox } from '../../../src/kernel/work/outbox.ts';
import { scheduleWork } from '../../../src/kernel/work/work.ts';
import { createWorkWorker } from '../../../src/kernel/work/work-worker.ts';

/**
 * Counts up under twelve keys, and adds an event and scheduled work for each count. At the same time it
 * relays the events and does the work of this and earlier runs. It runs until it is killed.
 *
 * Arguments: the options of the database as JSON; how many milliseconds the clock is ahead, so that the
 * leases of runs killed before have expired; `count`, or `finish` to relay and do what is left and then
 * end; and the URL of a NATS server to use JetStream.
 */
const [options = '', ahead = '0', mode = 'count', url] = process.argv.slice(2);
const clock = { ...systemClock, now: () => Date.now() + Number(ahead) };
const random = systemRandom;
const database = await openDatabase(JSON.parse(options));
const say = (line: string) => writeSync(1, `${line}\n`);
const stop = new AbortController();

const jetstream = url ? await openJetstreamEventBus({ url, database, clock, random }) : undefined;
const bus = jetstream ?? createInProcessEventBus();
bus.subscribe({
  name: 'recorder',
  topics: ['counted'],
  async handle({ key, payload }) {
    await database.run(sql`INSERT INTO deliveries (key, n) VALUES (${key}, ${Number(payload)})`);
    say('delivered');
  },
});
const relay = await openOutboxRelay({ database, bus, clock, random });
const worker = createWorkWorker({
  ...{ database, clock, random, name: 'count', kinds: ['count'] },
  async handle({ key }) {
    await database.run(sql`INSERT INTO done (key) VALUES (${key}) ON CONFLICT (key) DO NOTHING`);
    say('done');
  },
});
const workers = [...bus.workers(), relay, worker].map((one) => one.run(stop.signal));
if (mode === 'count') {
  await Promise.all(Array.from({ length: 12 }, (_, n) => countForever(`k${n}`)));
}
while ((await isSomethingLeft()) || (await isStreamFilled())) await clock.sleep(20);
stop.abort();
await Promise.all(workers);
await jetstream?.close();
await database.close();

async function isSomethingLeft(): Promise<boolean> {
  const left = await database.first(sql`SELECT 1 AS one FROM work LIMIT 1`);
  return left !== undefined;
}

async function isStreamFilled(): Promise<boolean> {
  if (!url) return false;
  const nats = await connectNats(url);
  const { streams } = await openJetstream(nats);
  const { state } = await streams.info(await eventStreamName(database, random));
  await nats.connection.close();
  return state.messages > 0;
}

async function countForever(key: string): Promise<never> {
  for (;;) {
    await database.transaction(async (tx) => {
      // The change first: its row lock orders the events of the key.
      const row = await tx.first<{ n: number }>(sql`
        INSERT INTO counters (key, n) VALUES (${key}, 1)
        ON CONFLICT (key) DO UPDATE SET n = counters.n + 1 RETURNING n`);
      const occurredAt = clock.now();
      await writeOutbox(tx, { topic: 'counted', key, payload: row?.n, occurredAt });
      const work = { kind: 'count', key: `${key}-${row?.n}`, payload: null, dueAt: occurredAt + 5 };
      await scheduleWork(tx, work);
    });
    say('counted');
  }
}
