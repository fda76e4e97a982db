import { expect, test } from 'vitest';
import { createInProcessEventBus } from './event-bus.ts';

const consumer = { name: 'prices', topics: ['price'], handle: async () => {} };
const event = { id: '1', topic: 'pool', key: 'a', payload: null, occurredAt: 0 };

test('two consumers cannot have the same name', () => {
  const bus = createInProcessEventBus();
  bus.subscribe(consumer);
  expect(() => bus.subscribe(consumer)).toThrow(/prices/);
});

test('an event that this process cannot handle fails, so that another process gets it', async () => {
  const bus = createInProcessEventBus();
  bus.subscribe(consumer);
  const { signal } = new AbortController();
  await expect(bus.deliver('prices', event, signal)).rejects.toThrow(/does not take pool/);
  await expect(bus.deliver('absent', event, signal)).rejects.toThrow(/absent/);
});
