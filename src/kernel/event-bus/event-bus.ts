import type { Worker } from '../lifecycle/worker.ts';

/** Something that happened, for every consumer of its topic. */
export type BusEvent = {
  /** The same each time this event is delivered to this consumer: the key to idempotence. */
  readonly id: string;
  /** Domain and event, such as `swap.price-changed`. */
  readonly topic: string;
  /** Events of one key reach a consumer in order. */
  readonly key: string;
  /** JSON from the outbox: a border, so the consumer parses it with its own schema. */
  readonly payload: unknown;
  readonly occurredAt: number;
};

/** A consumer of events. The name is durable: events wait under it while no process runs the consumer. */
export type EventConsumer = {
  /** Unique in the whole installation, such as `events.publish-price`. */
  readonly name: string;
  readonly topics: readonly string[];
  /**
   * Takes one event. A rejection brings the event back later, and with it everything behind it under
   * the same key. An event may come more than once, so handling is idempotent.
   */
  handle(event: BusEvent, signal: AbortSignal): Promise<void>;
};

/**
 * A failure while an event was carried. The event is retried by itself. Without an event, the database or the broker
 * did not answer.
 */
export type EventFailure = {
  readonly error: unknown;
  readonly consumer?: string;
  readonly event?: BusEvent;
  readonly attempts?: number;
};

/**
 * Carries events from the outbox to their consumers. In process, the relay hands each event to the
 * consumer itself; a bus between processes takes each into its own keeping and has workers that
 * bring it to the process which runs the consumer.
 */
export type EventBus = {
  /** Adds a consumer; all of them are known before the workers and the relay start. */
  subscribe(consumer: EventConsumer): void;
  /** The consumers for which the relay of this process fetches events. */
  consumers(): readonly Pick<EventConsumer, 'name' | 'topics'>[];
  /** Resolves once the event is handled or in safe keeping, and it need not be delivered again. */
  deliver(consumerName: string, event: BusEvent, signal: AbortSignal): Promise<void>;
  /** The workers that bring events out of the bus's own keeping; none where it keeps nothing. */
  workers(): readonly Worker[];
};
