import { expect, test } from 'vitest';
import { createEventRecorder } from '../../../tests/support/event-recorder.ts';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { startWorker } from '../../../tests/support/start-worker.ts';
import { createTally } from '../../../tests/support/tally.ts';
import type { Database } from '../database/database.ts';
import { systemRandom } from '../model/random.ts';
import type { EventBus, EventFailure } from './event-bus.ts';
import type { JetstreamEventBusOptions } from './jetstream-event-bus.ts';
import { type OutboxEvent, openOutboxRelay, writeOutbox } from './outbox.ts';

export type EventBusFixture = {
  /** An empty database with the tables of the kernel. */
  openDatabase(): Promise<Database>;
  createBus(options: Omit<JetstreamEventBusOptions, 'url'>): EventBus | Promise<EventBus>;
};

/** What a consumer may rely on, whatever bus is between it and the outbox. */
export function eventBusContract({ openDatabase, createBus }: EventBusFixture): void {
  const setUp = async () => {
    const database = await openDatabase();
    const clock = createFakeClock();
    const failures: EventFailure[] = [];
    const failed = createTally();
    const onFailure = (failure: EventFailure) => {
      failures.push(failure);
      failed.add();
    };
    const parts = { database, clock, random: systemRandom, onFailure };
    const bus = await createBus(parts);
    const startRelay = async () => {
      const relay = await openOutboxRelay({ ...parts, bus });
      const running = [...bus.workers(), relay].map(startWorker);
      return { stop: () => Promise.all(running.map(({ stop }) => stop())) };
    };
    return { database, clock, bus, failures, failed, startRelay };
  };

  test('every consumer gets the events of its topics and no others [H29]', async () => {
    const { database, bus, startRelay } = await setUp();
    const prices = createEventRecorder({ name: 'prices', topics: ['price'] });
    const both = createEventRecorder({ name: 'both', topics: ['price', 'pool'] });
    bus.subscribe(prices.consumer);
    bus.subscribe(both.consumer);
    await startRelay();
    await write(database, { topic: 'price', key: 'a', payload: { amount: '1' } });
    await write(database, { topic: 'nobody', key: 'a', payload: {} });
    await write(database, { topic: 'pool', key: 'a', payload: ['x', 2, null] });
    await prices.received(1);
    await both.received(2);
    expect(prices.events).toMatchObject([{ topic: 'price', key: 'a', payload: { amount: '1' } }]);
    expect(both.events.map(({ payload }) => payload)).toEqual([{ amount: '1' }, ['x', 2, null]]);
  });

  test('events of one key come in order [H25, H27, H29]', async () => {
    const { database, bus, startRelay } = await setUp();
    const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
    bus.subscribe(recorder.consumer);
    await startRelay();
    const keys = Array.from({ length: 25 }, (_, index) => `key ${index}`);
    for (let n = 0; n < 8; n++) {
      await Promise.all(keys.map((key) => write(database, { topic: 'count', key, payload: n })));
    }
    await recorder.received(200);
    for (const key of keys) expect(recorder.payloadsOf(key)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('an event of a transaction that failed is never told [H23]', async () => {
    const { database, bus, startRelay } = await setUp();
    const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
    bus.subscribe(recorder.consumer);
    await startRelay();
    const failing = database.transaction(async (tx) => {
      await writeOutbox(tx, { topic: 'count', key: 'a', payload: 'undone', occurredAt: 0 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await write(database, { topic: 'count', key: 'a', payload: 'done' });
    await recorder.received(1);
    expect(recorder.payloadsOf('a')).toEqual(['done']);
  });

  test('a failed event comes again, keeps its place and holds back only its own key [H24, H25]', async () => {
    const { database, bus, clock, failures, failed, startRelay } = await setUp();
    let failuresLeft = 2;
    const recorder = createEventRecorder({
      name: 'recorder',
      topics: ['count'],
      async handle(event) {
        if (event.key !== 'bad' || failuresLeft === 0) return;
        failuresLeft -= 1;
        throw new Error('not today');
      },
    });
    bus.subscribe(recorder.consumer);
    await startRelay();
    await database.transaction(async (tx) => {
      for (const key of ['bad', 'good', 'bad']) {
        await writeOutbox(tx, { topic: 'count', key, payload: 'first', occurredAt: 0 });
      }
    });
    await recorder.received(1);
    await write(database, { topic: 'count', key: 'good', payload: 'second' });
    await recorder.received(2);
    expect(recorder.events.map(({ key }) => key)).toEqual(['good', 'good']);
    await failed.reached(1);
    expect(failures).toHaveLength(1);
    clock.advance(1_000);
    await failed.reached(2);
    clock.advance(2_000);
    await recorder.received(4);
    const [first, second] = recorder.events.slice(2).map(({ id }) => Number(id));
    expect(second).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
    expect(failures).toMatchObject([
      { consumer: 'recorder', event: { key: 'bad', id: String(first) }, attempts: 1 },
      { consumer: 'recorder', event: { key: 'bad', id: String(first) }, attempts: 2 },
    ]);
  });

  test('a consumer that fails does not disturb the others [H29]', async () => {
    const { database, bus, failed, startRelay } = await setUp();
    const handle = () => Promise.reject(new Error('never'));
    bus.subscribe({ name: 'broken', topics: ['count'], handle });
    const sound = createEventRecorder({ name: 'sound', topics: ['count'] });
    bus.subscribe(sound.consumer);
    await startRelay();
    await write(database, { topic: 'count', key: 'a', payload: 1 });
    await failed.reached(1);
    await write(database, { topic: 'count', key: 'a', payload: 2 });
    await sound.received(2);
    expect(sound.payloadsOf('a')).toEqual([1, 2]);
  });

  test('events wait for a consumer that no process runs [H24]', async () => {
    const { database, bus, startRelay } = await setUp();
    const recorder = createEventRecorder({ name: 'recorder', topics: ['count'] });
    bus.subscribe(recorder.consumer);
    const relay = await startRelay();
    await relay.stop();
    await write(database, { topic: 'count', key: 'a', payload: 1 });
    await startRelay();
    await recorder.received(1);
  });

  test('an event whose handling is cut short by a shutdown comes again [H24]', async () => {
    const { database, bus, failures, startRelay } = await setUp();
    let isPatient = false;
    const recorder = createEventRecorder({
      name: 'recorder',
      topics: ['count'],
      async handle(_, signal) {
        if (isPatient) return;
        isPatient = true;
        await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      },
    });
    bus.subscribe(recorder.consumer);
    const relay = await startRelay();
    await write(database, { topic: 'count', key: 'a', payload: 1 });
    await recorder.attempted(1);
    await relay.stop();
    expect(recorder.events).toEqual([]);
    await startRelay();
    await recorder.received(1);
    expect(failures).toEqual([]);
  });
}

function write(database: Database, event: Omit<OutboxEvent, 'occurredAt'>): Promise<void> {
  return database.transaction((tx) => writeOutbox(tx, { ...event, occurredAt: 0 }));
}
