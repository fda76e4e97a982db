import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createInProcessEventBus, type EventConsumer } from '../../src/kernel/work/event-bus.ts';
import { createOutboxPruner, openOutboxRelay, writeOutbox } from '../../src/kernel/work/outbox.ts';
import { createEventRecorder } from '../support/event-recorder.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { startWorker } from '../support/start-worker.ts';
import { testEngines } from '../support/test-engines.ts';

const [sqlite, postgres] = testEngines;
const leaseLength = 10_000;

describe('several relays on one database', () => {
  test('bring each event once and keep the order of each key [H25, H26, H27]', async () => {
    const store = await postgres.createStore();
    const databases = [await store.open(), await store.open()] as const;
    await migrate(databases[0], kernelMigrations);
    const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
    const clock = createFakeClock();
    for (const database of databases) await startRelay(database, clock, recorder.consumer);
    const keys = Array.from({ length: 30 }, (_, index) => `key ${index}`);
    for (const n of [0, 1, 2, 3]) {
      await Promise.all(
        keys.map((key, index) => write(databases[index % 2 === 0 ? 0 : 1], key, n)),
      );
    }
    await recorder.received(120);
    for (const key of keys) expect(recorder.payloadsOf(key)).toEqual([0, 1, 2, 3]);
  });

  test('take over from one that no longer answers, which then cannot undo anything [H26, H27]', async () => {
    const store = await postgres.createStore();
    const database = await store.open();
    await migrate(database, kernelMigrations);
    const stuck = Promise.withResolvers<void>();
    const dead = createEventRecorder({
      name: 'recorder',
      topics: ['count'],
      handle: () => stuck.promise,
    });
    const deadRelay = await startRelay(await store.open(), createFakeClock(), dead.consumer);
    await write(database, 'a', 'first');
    await dead.attempted(1);

    const busy = Promise.withResolvers<void>();
    const alive = createEventRecorder({
      name: 'recorder',
      topics: ['count'],
      handle: async ({ payload }) => (payload === 'second' ? busy.promise : undefined),
    });
    const clock = createFakeClock();
    await startRelay(database, clock, alive.consumer);
    await write(database, 'a', 'second');
    clock.advance(leaseLength);
    await alive.attempted(2);

    stuck.resolve();
    await deadRelay.stop();
    expect(await database.all(sql`SELECT part FROM work_parts WHERE lease_until > 0`)).toHaveLength(
      1,
    );
    busy.resolve();
    await alive.received(2);
    expect(alive.payloadsOf('a')).toEqual(['first', 'second']);
    expect(dead.payloadsOf('a')).toEqual(['first']);
  });
});

test('a relay on the embedded file takes the parts of the dead process at once', async () => {
  const database = await (await sqlite.createStore()).open();
  await migrate(database, kernelMigrations);
  const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
  const clock = createFakeClock();
  await (await startRelay(database, clock, recorder.consumer)).stop();
  await database.run(sql`UPDATE work_parts SET owner = 'dead', lease_until = ${clock.now() + 1}`);
  await write(database, 'a', 1);
  await startRelay(database, clock, recorder.consumer);
  await recorder.received(1);
});

describe.each(testEngines)('a relay on $engine', ({ createStore }) => {
  test('finds an event whose wake-up was lost [H27]', async () => {
    const database = await (await createStore()).open();
    await migrate(database, kernelMigrations);
    const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
    const clock = createFakeClock();
    await startRelay(database, clock, recorder.consumer);
    await clock.whenAsleep();
    await database.transaction((tx) =>
      writeOutbox(
        { ...tx, notify: () => {} },
        { topic: 'count', key: 'a', payload: 'late', occurredAt: 0 },
      ),
    );
    clock.advance(5_000);
    await recorder.received(1);
  });
});

describe.each(testEngines)('the pruner on $engine', ({ createStore }) => {
  test('forgets events and consumers that no process runs, after the retention', async () => {
    const database = await (await createStore()).open();
    await migrate(database, kernelMigrations);
    const clock = createFakeClock();
    const gone = createEventRecorder({ name: 'gone', topics: ['count'] });
    await (await startRelay(database, clock, gone.consumer)).stop();
    const bus = createInProcessEventBus();
    bus.subscribe({ name: 'here', topics: ['count'], handle: async () => {} });
    await openOutboxRelay({ database, bus, clock, random: systemRandom });
    await database.transaction(async (tx) => {
      for (let n = 0; n < 600; n++) {
        await writeOutbox(tx, { topic: 'count', key: 'a', payload: n, occurredAt: clock.now() });
      }
    });
    expect(await waitingFor(database, 'gone')).toBe(600);

    clock.advance(2_000);
    await pruneOnce({ database, bus, clock, retention: 2_000 });
    expect(await waitingFor(database, 'gone')).toBe(600);
    clock.advance(1);
    await pruneOnce({ database, bus, clock, retention: 2_000 });
    expect(await waitingFor(database, 'gone')).toBe(0);
    expect(await waitingFor(database, 'here')).toBe(600);
    await write(database, 'a', 'later');
    expect(await waitingFor(database, 'gone')).toBe(0);
    expect(await waitingFor(database, 'here')).toBe(601);
  });
});

async function startRelay(database: Database, clock: FakeClock, consumer: EventConsumer) {
  const bus = createInProcessEventBus();
  bus.subscribe(consumer);
  return startWorker(await openOutboxRelay({ database, bus, clock, random: systemRandom }));
}

function write(database: Database, key: string, payload: unknown): Promise<void> {
  return database.transaction((tx) =>
    writeOutbox(tx, { topic: 'count', key, payload, occurredAt: 0 }),
  );
}

/** Runs the pruner until its first round is over and it goes to sleep. */
async function pruneOnce(options: Parameters<typeof createOutboxPruner>[0]): Promise<void> {
  const stop = new AbortController();
  const clock = { ...options.clock, sleep: async () => stop.abort() };
  await createOutboxPruner({ ...options, clock }).run(stop.signal);
}

async function waitingFor(database: Database, consumer: string): Promise<number | undefined> {
  const row = await database.first<{ n: number }>(
    sql`SELECT COUNT(*) AS n FROM work WHERE kind = ${consumer}`,
  );
  return row?.n;
}
