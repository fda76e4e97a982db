import { describe } from 'vitest';
import { eventBusContract } from '../../src/kernel/event-bus/event-bus.contract.ts';
import { createInProcessEventBus } from '../../src/kernel/event-bus/in-process-event-bus.ts';
import { testEngines } from '../support/test-engines.ts';

describe.each(testEngines)('in process, on $engine', ({ createStore }) => {
  eventBusContract({ createStore, createBus: createInProcessEventBus });
});
