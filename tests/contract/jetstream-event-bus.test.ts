import { expect, onTestFinished } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';
import type { EventConsumer } from '../../src/kernel/work/event-bus.ts';
import { openJetstream } from '../../src/kernel/work/jetstream.ts';
import {
  eventStreamName,
  openJetstreamEventBus,
} from '../../src/kernel/work/jetstream-event-bus.ts';
import { connectNats } from '../../src/kernel/work/nats.ts';
import { openOutboxRelay, writeOutbox } from '../../src/kernel/work/outbox.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createEventRecorder } from '../support/event-recorder.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { openPostgresProxy } from '../support/open-postgres-proxy.ts';
import { startNats } from '../support/start-nats.ts';
import { startWorker } from '../support/start-worker.ts';
import { testEngines } from '../support/test-engines.ts';
import { testsWith } from '../support/tests-with.ts';

const { describe, test } = testsWith('nats');

const [sqlite, postgres] = testEngines;
const leaseLength = 10_000;
/** Its sleeps are short, for tests in which NATS itself takes real time. */
const hurriedClock: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / 50, signal),
};

describe('the bus over JetStream', () => {
  test('removes handled events from the stream, and only those [H24, H57]', async () => {
    const { database, url } = await setUp();
    const recorder = createEventRecorder({
      ...{ name: 'recorder', topics: ['count'] },
      handle: ({ key }, signal) => (key === 'stuck' ? untilAborted(signal) : Promise.resolve()),
    });
    await startBus({ database, url, consumer: recorder.consumer });
    for (const key of ['a', 'stuck', 'b', 'stuck']) await write(database, key, 1);
    await recorder.attempted(3);
    await recorder.received(2);
    await expect.poll(() => keptIn(url, database)).toBe(2);
    expect(await database.all(sql`SELECT position FROM work`)).toEqual([]);
  });

  test('goes on over another connection when NATS falls silent, within 15 s [N9]', async () => {
    const { database, url } = await setUp();
    const proxy = await openPostgresProxy(url);
    const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
    await startBus({ database, url: proxy.url, consumer: recorder.consumer });
    await write(database, 'a', 1);
    await recorder.received(1);
    proxy.freezeOpen();
    const since = systemClock.elapsed();
    await write(database, 'a', 2);
    await recorder.received(2);
    expect(systemClock.elapsed() - since).toBeLessThan(15_000);
  });

  test('stores an event once that the relay brings twice [H57]', async () => {
    const { database, url } = await setUp();
    const bus = await openBus({ database, url });
    const event = { id: '7', topic: 'count', key: 'a', payload: 1, occurredAt: 0 };
    const { signal } = new AbortController();
    for (let n = 0; n < 2; n++) await bus.deliver('recorder', event, signal);
    expect(await keptIn(url, database)).toBe(1);
  });

  test('keeps installations on one server apart, and consumers whose names look alike [H57]', async () => {
    const { database, url } = await setUp();
    const other = await openDatabase();
    const received: string[] = [];
    const names = ['a', 'a.b', 'a-b', 'a_2e_b'];
    const all = Promise.withResolvers<void>();
    for (const [home, store] of Object.entries({ here: database, there: other })) {
      const bus = await openBus({ database: store, url });
      for (const name of names) {
        const handle = async ({ payload }: { payload: unknown }) => {
          received.push(`${home} ${name} gets ${payload}`);
          if (received.length === 2 * names.length) all.resolve();
        };
        bus.subscribe({ name, topics: ['count'], handle });
      }
      for (const worker of bus.workers()) startWorker(worker);
      const { signal } = new AbortController();
      const event = { topic: 'count', key: 'k', occurredAt: 0 };
      for (const [index, name] of names.entries()) {
        const payload = `that for ${name} ${home}`;
        await bus.deliver(name, { ...event, id: String(index), payload }, signal);
      }
    }
    await all.promise;
    const expected = ['here', 'there'].flatMap((home) =>
      names.map((name) => `${home} ${name} gets that for ${name} ${home}`),
    );
    expect(received.toSorted()).toEqual(expected.toSorted());
  });

  test('another process takes over in order the events of one that no longer responds [H25, H26, H57]', async () => {
    const { store, database, url } = await setUp(postgres);
    const stuck = Promise.withResolvers<void>();
    const consumer = { name: 'recorder', topics: ['count'] };
    const dead = createEventRecorder({ ...consumer, handle: () => stuck.promise });
    const deadBus = await startBus({
      ...{ database: await store.open(), url, consumer: dead.consumer, clock: createFakeClock() },
    });
    const keys = ['a', 'b', 'c'];
    for (const n of [1, 2]) for (const key of keys) await write(database, key, n);
    await dead.attempted(3);

    const clock = createFakeClock();
    const alive = createEventRecorder(consumer);
    await startBus({ database, url, consumer: alive.consumer, clock });
    for (const key of keys) await write(database, key, 3);
    await expect.poll(() => keptIn(url, database)).toBe(9);
    expect(alive.events).toEqual([]);
    clock.advance(leaseLength);
    await alive.received(9);
    for (const key of keys) expect(alive.payloadsOf(key)).toEqual([1, 2, 3]);

    // The dead process goes on with the events it had, though the other has handled all of them.
    stuck.resolve();
    await dead.received(6);
    await deadBus.stop();
    for (const key of keys) await write(database, key, 4);
    await alive.received(12);
    for (const key of keys) expect(alive.payloadsOf(key)).toEqual([1, 2, 3, 4]);
  });

  test('events wait while NATS is down, and are delivered when it is back [H24, H25, H57]', async () => {
    const server = { store: createDataDir(), port: await findFreePort() };
    const nats = await startNats(server);
    const database = await openDatabase();
    const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
    const bus = await startBus({
      ...{ database, url: nats.url, consumer: recorder.consumer, clock: hurriedClock },
    });
    const told = () => [...new Set(recorder.payloadsOf('a'))];
    await write(database, 'a', 1);
    await recorder.received(1);
    await nats.stop();
    await expect.poll(bus.isUp).toBe(false);
    for (const n of [2, 3]) await write(database, 'a', n);
    await startNats(server);
    await expect.poll(told).toEqual([1, 2, 3]);
    expect(bus.isUp()).toBe(true);
  });

  test('a stream that was lost is made again, and the outbox goes on into it [H57]', async () => {
    const { database, url } = await setUp();
    const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
    await startBus({ database, url, consumer: recorder.consumer, clock: hurriedClock });
    await write(database, 'a', 1);
    await recorder.received(1);
    await withStreams(url, async (streams) => {
      await streams.delete(await eventStreamName(database, systemRandom));
    });
    await write(database, 'a', 2);
    await recorder.received(2);
  });
});

describe('a NATS server that cannot be used is refused by name, without its password', () => {
  const wayOut = /TRADEWIND_NATS_URL/;

  test('when nobody answers [H57]', async () => {
    const refusal = await refusalOf('nats://user:hunter2@127.0.0.1:9');
    expect(refusal).toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(wayOut),
    });
  });

  test('when it refuses the credentials, and takes the right ones [H57]', async () => {
    const { url } = await startNats({ args: ['--user', 'user', '--pass', 'p@ss'] });
    const at = (credentials: string) => url.replace('//', `//${credentials}@`);
    const refusal = await refusalOf(at('user:hunter2'));
    expect(refusal).toMatchObject({
      code: 'NOT_ALLOWED',
      message: expect.stringMatching(wayOut),
    });
    await openBus({ database: await openDatabase(), url: at('user:p%40ss') });
  });

  test('when it has no JetStream [H57]', async () => {
    const { url } = await startNats({ store: false });
    const refusal = await refusalOf(url);
    expect(refusal).toMatchObject({
      code: 'WITHOUT_JETSTREAM',
      message: expect.stringMatching(wayOut),
    });
  });

  async function refusalOf(url: string): Promise<unknown> {
    const opening = openBus({ database: await openDatabase(), url });
    const refusal = await opening.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(String(refusal)).not.toContain('hunter2');
    return refusal;
  }
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

async function openDatabase(): Promise<Database> {
  const database = await (await sqlite.createStore()).open();
  await migrate(database, kernelMigrations);
  return database;
}

async function setUp(engine: (typeof testEngines)[number] = sqlite) {
  const { url } = await startNats();
  const store = await engine.createStore();
  const database = await store.open();
  await migrate(database, kernelMigrations);
  return { store, database, url };
}

type BusParts = { database: Database; url: string; clock?: Clock };

async function openBus({ clock = systemClock, ...parts }: BusParts) {
  const bus = await openJetstreamEventBus({ ...parts, clock, random: systemRandom });
  onTestFinished(bus.close);
  return bus;
}

async function startBus({ consumer, ...parts }: BusParts & { consumer: EventConsumer }) {
  const bus = await openBus(parts);
  bus.subscribe(consumer);
  const { clock = systemClock, ...others } = parts;
  const relay = await openOutboxRelay({ ...others, clock, random: systemRandom, bus });
  const running = [...bus.workers(), relay].map(startWorker);
  return { isUp: bus.isUp, stop: () => Promise.all(running.map(({ stop }) => stop())) };
}

function write(database: Database, key: string, payload: unknown): Promise<void> {
  return database.transaction((tx) =>
    writeOutbox(tx, { topic: 'count', key, payload, occurredAt: 0 }),
  );
}

/** How many messages are in the stream of a database. */
async function keptIn(url: string, database: Database): Promise<number> {
  const name = await eventStreamName(database, systemRandom);
  return withStreams(url, async (streams) => (await streams.info(name)).state.messages);
}

type Streams = Awaited<ReturnType<typeof openJetstream>>['streams'];

async function withStreams<T>(url: string, work: (streams: Streams) => Promise<T>): Promise<T> {
  const nats = await connectNats(url);
  try {
    return await work((await openJetstream(nats)).streams);
  } finally {
    await nats.connection.close();
  }
}
