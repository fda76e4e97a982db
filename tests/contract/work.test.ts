import { describe, expect, test } from 'vitest';
import type { TestStore } from '../../src/kernel/database/database.contract.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import {
  createEarlierWorkMover,
  moveEarlierWork,
} from '../../src/kernel/work/move-earlier-work.ts';
import { addWork, cancelWork, type DueWork, scheduleWork } from '../../src/kernel/work/work.ts';
import { createWorkWorker, type WorkFailure } from '../../src/kernel/work/work-worker.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { startWorker } from '../support/start-worker.ts';
import { createTally } from '../support/tally.ts';
import { testEngines } from '../support/test-engines.ts';

const kind = 'ring-the-bell';
const leaseLength = 10_000;

describe.each(testEngines)('work on $engine', ({ createStore }) => {
  test('starts when its time comes and not before [H28]', async () => {
    const { database, clock } = await setUp(createStore);
    const bell = startRinger({ database, clock });
    await schedule(database, 'noon', clock.now() + 60_000, { loud: true });
    clock.advance(59_999);
    await schedule(database, 'now', clock.now());
    await bell.done.reached(1);
    expect(bell.keys()).toEqual(['now']);
    clock.advance(1);
    await bell.done.reached(2);
    expect(bell.works[1]).toMatchObject({ key: 'noon', payload: { loud: true }, attempts: 1 });
  });

  test('starts at its time without a wake of the worker', async () => {
    const { database, clock } = await setUp(createStore);
    await schedule(database, 'soon', clock.now() + 3_000);
    const bell = startRinger({ database, clock });
    await clock.whenAsleep();
    clock.advance(3_000);
    await bell.done.reached(1);
  });

  test('is done once and then gone', async () => {
    const { database, clock } = await setUp(createStore);
    const bell = startRinger({ database, clock });
    await schedule(database, 'a', clock.now());
    await bell.done.reached(1);
    await bell.stop();
    expect(await database.all(sql`SELECT key FROM work`)).toEqual([]);
  });

  test('that is scheduled again has the later time and payload', async () => {
    const { database, clock } = await setUp(createStore);
    await schedule(database, 'a', clock.now(), 'first');
    await schedule(database, 'a', clock.now() + 1_000, 'second');
    const bell = startRinger({ database, clock });
    clock.advance(1_000);
    await bell.done.reached(1);
    expect(bell.works).toMatchObject([{ payload: 'second' }]);
  });

  test('that schedules itself while it is done is done again, not at the same time', async () => {
    const { database, clock } = await setUp(createStore);
    const bell = startRinger({
      database,
      clock,
      async handle({ payload }) {
        if (payload === 'last') return;
        await schedule(database, 'a', clock.now(), 'last');
      },
    });
    await schedule(database, 'a', clock.now(), 'first');
    await bell.done.reached(2);
    expect(bell.works.map(({ payload }) => payload)).toEqual(['first', 'last']);
    expect(bell.mostAtOnce()).toBe(1);
  });

  test('that is cancelled, or whose transaction fails, is not done', async () => {
    const { database, clock } = await setUp(createStore);
    await schedule(database, 'cancelled', clock.now());
    const cancel = () => database.transaction((tx) => cancelWork(tx, { kind, key: 'cancelled' }));
    expect(await cancel()).toBe(true);
    expect(await cancel()).toBe(false);
    const failing = database.transaction(async (tx) => {
      await scheduleWork(tx, { kind, key: 'failed', payload: null, dueAt: clock.now() });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const bell = startRinger({ database, clock });
    await schedule(database, 'kept', clock.now());
    await bell.done.reached(1);
    await bell.stop();
    expect(bell.keys()).toEqual(['kept']);
  });

  test('that fails is retried with growing pauses, and reported', async () => {
    const { database, clock } = await setUp(createStore);
    const bell = startRinger({
      database,
      clock,
      async handle({ key, attempts }) {
        if (key === 'a' && attempts < 3) throw new Error('cracked');
      },
    });
    await schedule(database, 'a', clock.now());
    await bell.failed.reached(1);
    await schedule(database, 'b', clock.now());
    await bell.done.reached(1);
    expect(bell.failures).toHaveLength(1);
    clock.advance(1_000);
    await bell.failed.reached(2);
    clock.advance(2_000);
    await bell.done.reached(2);
    expect(bell.failures).toMatchObject([
      { work: { kind, key: 'a', attempts: 1 } },
      { work: { kind, key: 'a', attempts: 2 } },
    ]);
  });

  test('is done side by side, but no more at once than allowed', async () => {
    const { database, clock } = await setUp(createStore);
    const gate = Promise.withResolvers<void>();
    const bell = startRinger({ database, clock, concurrency: 3, handle: () => gate.promise });
    for (const key of ['a', 'b', 'c', 'd', 'e']) await schedule(database, key, clock.now());
    await bell.started.reached(3);
    gate.resolve();
    await bell.done.reached(5);
    expect(bell.mostAtOnce()).toBe(3);
  });

  test('that a shutdown cuts short is done again, and counts as never tried [H28]', async () => {
    const { database, clock } = await setUp(createStore);
    const first = startRinger({
      database,
      clock,
      handle: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
    });
    await schedule(database, 'a', clock.now());
    await first.started.reached(1);
    await first.stop();
    const second = startRinger({ database, clock });
    await second.done.reached(1);
    expect(first.failures).toEqual([]);
    expect(second.works).toMatchObject([{ key: 'a', attempts: 1 }]);
  });

  test('is taken over when the lease of a dead process has ended [H28]', async () => {
    const { database, clock } = await setUp(createStore);
    const bell = startRinger({ database, clock });
    await clock.whenAsleep();
    await database.run(
      sql`UPDATE work_parts SET owner = 'dead', lease_until = ${clock.now() + leaseLength}`,
    );
    await schedule(database, 'a', clock.now());
    clock.advance(leaseLength);
    await bell.done.reached(1);
    expect(bell.works).toMatchObject([{ key: 'a', attempts: 1 }]);
  });

  test('that outlasts a lease stays with the process that does it [H28]', async () => {
    const { database, clock } = await setUp(createStore);
    const gate = Promise.withResolvers<void>();
    const bell = startRinger({ database, clock, handle: () => gate.promise });
    await schedule(database, 'a', clock.now());
    await bell.started.reached(1);
    for (let elapsed = 0; elapsed < 2 * leaseLength; elapsed += 2_000) {
      // Two sleepers: the worker itself and the renewal of its lease.
      await clock.whenAsleep(2);
      const row = await database.first(sql`SELECT MAX(lease_until) AS lease_until FROM work_parts`);
      expect(row?.lease_until).toBeGreaterThan(clock.now());
      clock.advance(2_000);
    }
    gate.resolve();
    await bell.done.reached(1);
    expect(bell.started.count()).toBe(1);
  });
});

test('the embedded store returns the work of a dead process at once', async () => {
  const { database, clock } = await setUp(testEngines[0].createStore);
  await startRinger({ database, clock }).stop();
  await database.run(
    sql`UPDATE work_parts SET owner = 'dead', lease_until = ${clock.now() + leaseLength}`,
  );
  await schedule(database, 'a', clock.now());
  const bell = startRinger({ database, clock });
  await bell.done.reached(1);
});

test('several processes share the work and do each piece once [H28]', async () => {
  const store = await testEngines[1].createStore();
  const clock = createFakeClock();
  const databases = [await store.open(), await store.open()] as const;
  await migrate(databases[0], kernelMigrations);
  const done = createTally();
  const handle = async () => done.add();
  const bells = databases.map((database) =>
    startRinger({ database, clock, concurrency: 4, handle }),
  );
  await databases[0].transaction(async (tx) => {
    for (let n = 0; n < 60; n++) {
      await scheduleWork(tx, { kind, key: `work ${n}`, payload: n, dueAt: clock.now() });
    }
  });
  await done.reached(60);
  for (const bell of bells) await bell.stop();
  const keys = bells.flatMap((bell) => bell.keys());
  expect(new Set(keys).size).toBe(60);
  expect(keys).toHaveLength(60);
});

test('one queue carries events and what is scheduled, in the order of each key [Y6]', async () => {
  const { database, clock } = await setUp(testEngines[0].createStore);
  const bell = startRinger({ database, clock, concurrency: 8 });
  await bell.stop();
  for (let n = 0; n < 250; n++) {
    await database.transaction(async (tx) => {
      await addWork(tx, { kind, key: `key ${n % 3}`, payload: n });
      await scheduleWork(tx, { kind, key: 'noon', payload: n, dueAt: clock.now() });
    });
  }
  const again = startRinger({ database, clock, concurrency: 8 });
  await again.done.reached(251);
  for (const key of ['key 0', 'key 1', 'key 2']) {
    const numbers = again.works.filter((work) => work.key === key).map(({ payload }) => payload);
    expect(numbers).toEqual([...numbers].sort((a, b) => Number(a) - Number(b)));
  }
  expect(again.works.filter(({ key }) => key === 'noon')).toMatchObject([{ payload: 249 }]);
});

test('what failed holds back its key, also when both are due again [Y6]', async () => {
  const { database, clock } = await setUp(testEngines[0].createStore);
  const bell = startRinger({
    database,
    clock,
    async handle({ payload, attempts }) {
      if (payload === 'first' && attempts < 3) throw new Error('not yet');
    },
  });
  await database.transaction(async (tx) => {
    for (const payload of ['first', 'second']) await addWork(tx, { kind, key: 'a', payload });
  });
  await bell.failed.reached(1);
  clock.advance(1_000);
  await bell.failed.reached(2);
  clock.advance(2_000);
  await bell.done.reached(2);
  expect(bell.works.map(({ payload }) => payload)).toEqual(['first', 'second']);
});

describe.each(testEngines)(
  'what processes of earlier versions left on $engine',
  ({ createStore }) => {
    test('is moved in its order, but for what they are doing [Y6]', async () => {
      const { database, clock } = await setUp(createStore);
      await database.run(sql`
      INSERT INTO outbox_lanes (consumer, lane, owner, lease_until)
      VALUES (${kind}, 1, '', 0), (${kind}, 2, 'earlier', ${clock.now() + leaseLength})`);
      for (const [lane, key, n] of [
        [1, 'a', 1],
        [2, 'b', 2],
        [1, 'a', 3],
      ] as const) {
        await database.run(sql`
        INSERT INTO outbox (consumer, lane, topic, key, payload, occurred_at)
        VALUES (${kind}, ${lane}, 'counted', ${key}, ${String(n)}, 7)`);
      }
      await database.run(sql`
      INSERT INTO scheduled_work (kind, key, payload, due_at, owner, lease_until)
      VALUES (${kind}, 'noon', '4', 5, '', 0), (${kind}, 'done now', '5', 5, 'earlier', ${clock.now() + leaseLength})`);
      expect(await moveEarlierWork(database, clock.now())).toBe(false);
      const bell = startRinger({ database, clock });
      await bell.done.reached(3);
      const event = (n: number) => ({ topic: 'counted', payload: n, occurredAt: 7 });
      const payloads = (key: string) => bell.works.filter((work) => work.key === key);
      expect(payloads('a')).toMatchObject([{ payload: event(1) }, { payload: event(3) }]);
      expect(payloads('noon')).toMatchObject([{ payload: 4 }]);

      clock.advance(leaseLength);
      await moveEarlierWork(database, clock.now());
      await bell.done.reached(5);
      expect(payloads('b')).toMatchObject([{ payload: event(2) }]);
      expect(payloads('done now')).toMatchObject([{ payload: 5 }]);
      // An earlier process gets no lane that is ours, and one that is started again in its place does.
      const free = (now: number) =>
        database.all(sql`SELECT lane FROM outbox_lanes WHERE lease_until <= ${now}`);
      expect(await free(clock.now() + 30_000)).toEqual([]);
      expect(await free(clock.now() + 60_000)).toHaveLength(2);
    });

    test('is looked for again and again, since they may still run [Y6]', async () => {
      const { database, clock } = await setUp(createStore);
      const bell = startRinger({ database, clock });
      const mover = startWorker(createEarlierWorkMover({ database, clock, onFailure: () => {} }));
      await clock.whenAsleep(2);
      await database.run(sql`
      INSERT INTO scheduled_work (kind, key, payload, due_at) VALUES (${kind}, 'late', '1', 0)`);
      clock.advance(3_000);
      await bell.done.reached(1);
      await mover.stop();
    });
  },
);

async function setUp(createStore: () => Promise<TestStore>) {
  const database = await (await createStore()).open();
  await migrate(database, kernelMigrations);
  return { database, clock: createFakeClock() };
}

function schedule(database: Database, key: string, dueAt: number, payload: unknown = null) {
  return database.transaction((tx) => scheduleWork(tx, { kind, key, payload, dueAt }));
}

type RingerOptions = {
  database: Database;
  clock: FakeClock;
  concurrency?: number;
  handle?: (work: DueWork, signal: AbortSignal) => Promise<void>;
};

/** A worker that records the work it is given. `handle` may wait or fail first. */
function startRinger({ handle = async () => {}, ...options }: RingerOptions) {
  const works: DueWork[] = [];
  const failures: WorkFailure[] = [];
  const started = createTally();
  const done = createTally();
  const failed = createTally();
  let atOnce = 0;
  let mostAtOnce = 0;
  const worker = createWorkWorker({
    ...options,
    name: 'ringer',
    kinds: [kind],
    random: systemRandom,
    async handle(work, signal) {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      started.add();
      try {
        await handle(work, signal);
        works.push(work);
        done.add();
      } finally {
        atOnce -= 1;
      }
    },
    onFailure(failure) {
      failures.push(failure);
      failed.add();
    },
  });
  const { stop } = startWorker(worker);
  const keys = () => works.map(({ key }) => key);
  return { works, keys, failures, started, done, failed, stop, mostAtOnce: () => mostAtOnce };
}
