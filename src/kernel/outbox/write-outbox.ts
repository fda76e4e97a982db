import type { Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { outboxLaneOf } from './outbox-lane.ts';

/** The channel on which relays are woken. */
export const outboxChannel = 'outbox';

export type OutboxEvent = {
  readonly topic: string;
  readonly key: string;
  /** Anything that JSON can hold. */
  readonly payload: unknown;
  readonly occurredAt: number;
};

/**
 * Publishes an event in the transaction that makes the change: both happen or neither. The event is
 * stored once for each registered consumer of its topic, and not at all if there is none.
 *
 * Order: a consumer gets two events of one key in the order of writing whenever the second was
 * written after the first was committed, or in the same transaction. Two concurrent transactions
 * that publish for one key have no order unless something else orders them. So make the change
 * first, whose row lock orders them, and then publish.
 */
export async function writeOutbox(tx: Transaction, event: OutboxEvent): Promise<void> {
  const { topic, key, occurredAt } = event;
  const payload = JSON.stringify(event.payload ?? null);
  const written = await tx.run(sql`
    INSERT INTO outbox (consumer, lane, topic, key, payload, occurred_at)
    SELECT consumer, CAST(${outboxLaneOf(key)} AS BIGINT), topic, CAST(${key} AS TEXT),
      CAST(${payload} AS TEXT), CAST(${occurredAt} AS BIGINT)
    FROM outbox_consumers WHERE topic = ${topic}`);
  if (written > 0) tx.notify(outboxChannel);
}
