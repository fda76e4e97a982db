import type { EventBus, EventConsumer } from './event-bus.ts';

/** The bus of one process: delivery is a call of the consumer, and the outbox is the only store. */
export function createInProcessEventBus(): EventBus {
  const consumers = new Map<string, EventConsumer>();

  return {
    subscribe(consumer) {
      if (consumers.has(consumer.name)) {
        throw new Error(`Two event consumers are called ${consumer.name}: give each its own name.`);
      }
      consumers.set(consumer.name, consumer);
    },
    consumers: () => [...consumers.values()],
    async deliver(consumerName, event, signal) {
      const consumer = consumers.get(consumerName);
      // During a rollout, the outbox holds events of topics that only the new version knows. Failing
      // leaves them for its processes.
      if (!consumer?.topics.includes(event.topic)) {
        throw new Error(
          `The consumer ${consumerName} of this process does not take ${event.topic}.`,
        );
      }
      await consumer.handle(event, signal);
    },
    workers: () => [],
  };
}
