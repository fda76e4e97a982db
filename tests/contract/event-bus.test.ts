import { describe, onTestFinished } from 'vitest';
import { eventBusContract } from '../../src/kernel/event-bus/event-bus.contract.ts';
import { createInProcessEventBus } from '../../src/kernel/event-bus/in-process-event-bus.ts';
import { openJetstreamEventBus } from '../../src/kernel/event-bus/jetstream-event-bus.ts';
import { hasNats, startNats } from '../support/start-nats.ts';
import { testEngines } from '../support/test-engines.ts';

describe.each(testEngines)('in process, on $engine', ({ createStore }) => {
  eventBusContract({ createStore, createBus: createInProcessEventBus });
});

// Where no NATS server is installed there is nothing to carry events.
if (hasNats) {
  describe.each(testEngines)('over JetStream, on $engine', ({ createStore }) => {
    eventBusContract({
      createStore,
      async createBus(options) {
        const { url } = await startNats();
        const bus = await openJetstreamEventBus({ ...options, url });
        onTestFinished(bus.close);
        return bus;
      },
    });
  });
}
