import type { QueuedEvent } from '../model/event.ts';

/** The columns that a queued event is read from. */
export type EventRow = {
  number: number;
  id: string;
  type: string;
  subject: string;
  occurred_at: number;
  data: string;
  is_notice: number;
  trace?: string | null;
};

/** Copies field by field: destructuring with a rest would cost more than reading the row. */
export function toQueuedEvent(row: EventRow): QueuedEvent {
  return {
    number: row.number,
    id: row.id,
    type: row.type,
    subject: row.subject,
    occurredAt: row.occurred_at,
    data: row.data,
    isNotice: row.is_notice === 1,
    trace: row.trace ?? undefined,
  };
}

/** Few sizes, so that few statements are prepared, whatever the number of rows. */
const chunkSizes = [100, 10, 5, 2, 1] as const;

/** Parts of a list for statements that take many rows, in order. */
export function* inChunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let from = 0;
  for (const size of chunkSizes) {
    for (; from + size <= rows.length; from += size) yield rows.slice(from, from + size);
  }
}
