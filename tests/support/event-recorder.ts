import type { BusEvent, EventConsumer } from '../../src/kernel/work/event-bus.ts';
import { createTally } from './tally.ts';

export type EventRecorder = {
  readonly consumer: EventConsumer;
  /** The events that were handled, in order. */
  readonly events: readonly BusEvent[];
  payloadsOf(key: string): unknown[];
  /** Resolves once this many events were handled. */
  received(count: number): Promise<void>;
  /** Resolves once this many were handed over, whether the handling succeeded or not. */
  attempted(count: number): Promise<void>;
};

/** A consumer that records the events it gets. `handle` may wait or fail first. */
export function createEventRecorder({
  name,
  topics,
  handle = async () => {},
}: Pick<EventConsumer, 'name' | 'topics'> & Partial<EventConsumer>): EventRecorder {
  const events: BusEvent[] = [];
  const handled = createTally();
  const attempts = createTally();

  return {
    consumer: {
      name,
      topics,
      async handle(event, signal) {
        attempts.add();
        await handle(event, signal);
        events.push(event);
        handled.add();
      },
    },
    events,
    payloadsOf: (key) => events.filter((event) => event.key === key).map(({ payload }) => payload),
    received: handled.reached,
    attempted: attempts.reached,
  };
}
