import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import type { Worker } from '../../src/kernel/process/worker.ts';
import { createInProcessEventBus } from '../../src/kernel/work/event-bus.ts';
import { createLeasedWorker } from '../../src/kernel/work/lease.ts';
import { openOutboxRelay } from '../../src/kernel/work/outbox.ts';
import { createWorkWorker } from '../../src/kernel/work/work-worker.ts';
import { createEventRecorder } from '../support/event-recorder.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { deliveryDefaults } from '../support/open-delivery.ts';
import { openTestDelivery } from '../support/open-test-delivery.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { testEngines } from '../support/test-engines.ts';

type Parts = { readonly database: Database; readonly clock: FakeClock; onFailure(): void };

/** The worker of delivery with this name. */
const deliveryWorker = (name: string) => async (parts: Parts) => {
  const logger = { ...deliveryDefaults.logger, error: parts.onFailure };
  const { createWorkers, suspend } = await openTestDelivery(parts.database, { ...parts, logger });
  return createWorkers({ suspend }).find((worker) => worker.name === name)!;
};

/** Each worker that others depend on, and a table that every one of its rounds needs. */
const workers: readonly [string, string, (parts: Parts) => Promise<Worker>][] = [
  [
    'outbox-relay',
    'work_parts',
    (parts) => {
      const bus = createInProcessEventBus();
      bus.subscribe(createEventRecorder({ name: 'recorder', topics: ['count'] }).consumer);
      return openOutboxRelay({ ...parts, bus, random: systemRandom });
    },
  ],
  [
    'schedule',
    'work',
    async (parts) =>
      createWorkWorker({
        ...parts,
        name: 'schedule-bell',
        kinds: ['bell'],
        random: systemRandom,
        handle: async () => {},
      }),
  ],
  [
    'leased worker',
    'leases',
    async (parts) =>
      createLeasedWorker({ ...parts, name: 'one', random: systemRandom, work: async () => {} }),
  ],
  ['events-delivery', 'events_lanes', deliveryWorker('events-delivery')],
  ['events-fan-out', 'events_fan_outs', deliveryWorker('events-fan-out')],
];

test.each(workers)(
  '%s reports no progress while all its rounds fail, and progress again afterwards [N10, T7]',
  async (_, table, open) => {
    const database = await (await testEngines[0].createStore()).open();
    await migrate(database, productMigrations);
    const clock = createFakeClock();
    let [moves, failures] = [0, 0];
    const worker = await open({
      database,
      clock,
      onFailure() {
        failures += 1;
      },
    });
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) {
        await clock.whenAsleep();
        clock.advance(6_000);
        await clock.turn();
      }
    };
    const ending = new AbortController();
    const running = worker.run(ending.signal, () => {
      moves += 1;
    });
    onTestFinished(async () => {
      ending.abort();
      await running;
    });
    await until(() => moves > 0);
    const rename = (from: string, to: string) =>
      database.run({ strings: [`ALTER TABLE ${from} RENAME TO ${to}`], values: [] });
    await rename(table, 'away');
    await until(() => failures > 0);
    const [before, failed] = [moves, failures];
    await until(() => failures > failed + 2);
    expect(moves).toBe(before);
    await rename('away', table);
    await until(() => moves > before);
  },
);
