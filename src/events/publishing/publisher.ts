import type { Transaction } from '../../kernel/database/database.ts';
import type { NewEvent, PublishResult } from '../model/event.ts';

/** Events in. Each is stored once by publisher, `source` and `id`, and queued for every subscription it matches. */
export type Publisher = {
  /**
   * Stores the events and resolves once they are durable. Concurrent calls share a commit. Does not check the events
   * against the catalogue: a caller that takes them from outside does.
   */
  publish(events: readonly NewEvent[]): Promise<PublishResult>;
  /** The same in one transaction with the work of the caller, which runs first: both commit, or neither. */
  publishWith(
    events: readonly NewEvent[],
    work: (tx: Transaction) => Promise<void>,
  ): Promise<PublishResult>;
  /** Stores the events for these subscriptions alone, whatever they match. */
  publishTo(
    tx: Transaction,
    addressed: {
      readonly subscriptionIds: readonly string[];
      readonly events: readonly NewEvent[];
    },
  ): Promise<PublishResult>;
};
