import type { Worker } from '../process/worker.ts';

/** Something that happened, for every consumer of its topic. */
export type BusEvent = {
  /** The same each time this event is delivered to this consumer: the key to idempotence. */
  readonly id: string;
  /** Domain and event, such as `swap.price-changed`. */
  readonly topic: string;
  /** Events of one key reach a consumer in order. */
  readonly key: string;
  /** JSON from the outbox, untyped: the consumer parses it with its own schema. */
  readonly payload: unknown;
  readonly occurredAt: number;
};

/** A consumer of events. The name is durable: events wait under it while no process runs the consumer. */
export type EventConsumer = {
  /** Unique in the whole installation, such as `events.publish-price`. */
  readonly name: string;
  readonly topics: readonly string[];
  /**
   * Handles one event. After a rejection the event is retried, and later events of the same key wait
   * for it. An event may be delivered more than once, so handling must be idempotent.
   */
  handle(event: BusEvent, signal: AbortSignal): Promise<void>;
};

/**
 * A failed delivery, which is retried automatically. Without an event, the database or the broker did not answer.
 */
export type EventFailure = {
  readonly error: unknown;
  readonly consumer?: string;
  readonly event?: BusEvent;
  readonly attempts?: number;
};

/**
 * Carries events from the outbox to their consumers. In one process, the relay calls the consumer
 * directly. A bus between processes stores each event, and its workers deliver it to the process
 * that runs the consumer.
 */
export type EventBus = {
  /** Adds a consumer. All of them must be added before the workers and the relay start. */
  subscribe(consumer: EventConsumer): void;
  /** The consumers for which the relay of this process fetches events. */
  consumers(): readonly Pick<EventConsumer, 'name' | 'topics'>[];
  /** Resolves once the event is handled or durably stored, so that it need not be delivered again. */
  deliver(consumerName: string, event: BusEvent, signal: AbortSignal): Promise<void>;
  /** The workers that deliver events from the bus's own store; none if it has no store. */
  workers(): readonly Worker[];
};

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
