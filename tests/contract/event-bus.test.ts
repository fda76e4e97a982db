import { describe, onTestFinished } from 'vitest';
import type { TestStore } from '../../src/kernel/database/database.contract.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { eventBusContract } from '../../src/kernel/work/event-bus.contract.ts';
import { createInProcessEventBus } from '../../src/kernel/work/event-bus.ts';
import { openJetstreamEventBus } from '../../src/kernel/work/jetstream-event-bus.ts';
import { startNats } from '../support/start-nats.ts';
import { testEngines } from '../support/test-engines.ts';
import { testsWith } from '../support/tests-with.ts';

describe.each(testEngines)('in process, on $engine', ({ createStore }) => {
  eventBusContract({
    openDatabase: () => openKernelDatabase(createStore),
    createBus: createInProcessEventBus,
  });
});

testsWith('nats').describe.each(testEngines)('over JetStream, on $engine', ({ createStore }) => {
  eventBusContract({
    openDatabase: () => openKernelDatabase(createStore),
    async createBus(options) {
      const { url } = await startNats();
      const bus = await openJetstreamEventBus({ ...options, url });
      onTestFinished(bus.close);
      return bus;
    },
  });
});

async function openKernelDatabase(createStore: () => Promise<TestStore>) {
  const database = await (await createStore()).open();
  await migrate(database, kernelMigrations);
  return database;
}
